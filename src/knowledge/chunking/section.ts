/** A stretch of a text, by offsets. It stays whole where it fits. */
export interface Block {
  from: number;
  to: number;
  parts?: Parts;
}

/** Where a block is best cut if it does not fit; by lines where this is missing. They cover it without holes. */
export type Parts = (from: number, to: number) => Iterable<Block>;

/** What is under one heading, or in one declaration. No chunk reaches across the end of one. */
export interface Section {
  headings: string[];
  blocks: Iterable<Block>;
  from: number;
  to: number;
  /** Whether what follows a cut begins with the end of what was before it. */
  overlaps: boolean;
}

/** The offset at which the line begins that this offset is in. */
export function lineStartOf(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Blocks that begin at these offsets and go up to the next one: whole lines, without holes, none empty. */
export function blocksBetween(
  text: string,
  starts: readonly { at: number; parts?: Parts }[],
  from: number,
  to: number,
): Block[] {
  const blocks: Block[] = [];
  for (const { at, parts } of starts) {
    const start = blocks.length === 0 ? from : Math.max(from, lineStartOf(text, at));
    const last = blocks.at(-1);
    if (last && start <= last.from) {
      // Two on one line are one, and may be cut wherever its lines end.
      delete last.parts;
      continue;
    }
    if (last) last.to = start;
    blocks.push(parts ? { from: start, to, parts } : { from: start, to });
  }
  return blocks.length > 0 ? blocks : from < to ? [{ from, to }] : [];
}
