/** The words that the hub marked as matches are in `**`. */
const STARS = '\\*{0,2}';

/**
 * The text of a passage without the Markdown heading that it starts with: the line above it names the heading. A
 * passage that is nothing but a heading stays as it is.
 */
export function passageText(snippet: string, headings: readonly string[]): string {
  const words = headings.at(-1)?.split(/\s+/).filter(Boolean) ?? [];
  if (words.length === 0) return snippet;
  const heading = words.map((word) => STARS + escape(word) + STARS).join('\\s+');
  const rest = snippet.replace(new RegExp(`^#{1,6}\\s+${heading}(?:\\s+|$)`), '');
  return rest === '' ? snippet : rest;
}

/** The words of a query that were matched. The index knows their stems: `workspac` of `workspaces`. */
export function matchedWords(query: string, stems: readonly string[]): string[] {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return stems.map((stem) => words.find((word) => word.startsWith(stem)) ?? stem);
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
