/** A range of a text. It stays whole if it fits. */
export interface Block {
  from: number;
  to: number;
  parts?: Parts;
}

/** Splits a block that does not fit, without gaps. Blocks without this are split by line. */
export type Parts = (from: number, to: number) => Iterable<Block>;

/** The text below a heading, or a declaration. Chunks do not span sections. */
export interface Section {
  headings: string[];
  blocks: Iterable<Block>;
  from: number;
  to: number;
  /** Whether consecutive chunks overlap. */
  overlaps: boolean;
}

export function lineStartOf(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Blocks from each offset up to the next: whole lines, without gaps, none empty. */
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
      // Two blocks on one line become one, which is split by line.
      delete last.parts;
      continue;
    }
    if (last) last.to = start;
    blocks.push(parts ? { from: start, to, parts } : { from: start, to });
  }
  return blocks.length > 0 ? blocks : from < to ? [{ from, to }] : [];
}
