import type { Block, Section } from './section.ts';
import { skipBlankLines } from './split-lines.ts';

/** One section, split at blank lines. */
export function textSections(text: string): Section[] {
  return [{ headings: [], from: 0, to: text.length, overlaps: true, blocks: paragraphs(text) }];
}

function* paragraphs(text: string): Generator<Block> {
  const blank = /\n[ \t\r]*\n/g;
  let from = 0;
  for (let found = blank.exec(text); found; found = blank.exec(text)) {
    const to = skipBlankLines(text, found.index + 1, text.length);
    yield { from, to };
    from = to;
    blank.lastIndex = Math.max(to, blank.lastIndex);
  }
  if (from < text.length) yield { from, to: text.length };
}
