/** The words that the hub marked as matches are in `**`. */
const STARS = '\\*{0,2}';

interface Passage {
  /** The headings that it stands under, the last one with its matches marked. */
  headings: readonly string[];
  text: string;
}

/**
 * A passage whose text does not repeat the Markdown heading above it. One that is nothing but a heading stays as it
 * is.
 */
export function splitPassage(snippet: string, headings: readonly string[]): Passage {
  const words = headings.at(-1)?.split(/\s+/).filter(Boolean) ?? [];
  const heading = words.map((word) => STARS + escape(word) + STARS).join('\\s+');
  const [all = '', marked = ''] = new RegExp(`^#{1,6}\\s+(${heading})(?:\\s+|$)`).exec(snippet) ?? [];
  const text = snippet.slice(all.length);
  if (marked === '' || text === '') return { headings, text: snippet };
  return { headings: [...headings.slice(0, -1), marked], text };
}

/** The words of a query that were matched. The index knows their stems: `workspac` of `workspaces`. */
export function matchedWords(query: string, stems: readonly string[]): string[] {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return stems.map((stem) => words.find((word) => word.startsWith(stem)) ?? stem);
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
