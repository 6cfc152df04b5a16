import measure from 'fast-string-truncated-width';
import { terminalLine } from '../../../platform/text/terminal-text.ts';
import type { View } from '../invocation.ts';
import type { Style } from '../output/paint.ts';

/** Any text; kept on one line. */
export type Cell = string | { text: string; style: Style | null };

export interface Column {
  /** Maximum width. */
  max?: number;
  /** Minimum width if space is short. Without it, the column is not cut. */
  min?: number;
  /** Cut only after the others, such as a name after its description. */
  keep?: true;
  /** Dropped if space is still short. */
  optional?: true;
  align?: 'right';
}

export interface TableOptions {
  columns?: readonly Column[];
  gap?: number;
  indent?: number;
}

const LEAST_CELL = 4;
const LEAST_USEFUL_CELL = 8;

/**
 * Rows with aligned columns that fit into the terminal: cells are cut with an ellipsis, and never wrapped. In a pipe,
 * only columns with a `min` are cut, to their `max`.
 */
export function renderTable(
  rows: readonly (readonly Cell[])[],
  { paint, columns: room }: Pick<View, 'paint' | 'columns'>,
  { columns = [], gap = room < 100 ? 2 : 3, indent = 2 }: TableOptions = {},
): string[] {
  const cells = rows.map((row) =>
    row.map((cell) =>
      typeof cell === 'string'
        ? { text: terminalLine(cell), style: null }
        : { ...cell, text: terminalLine(cell.text) },
    ),
  );
  const count = Math.max(0, ...cells.map((row) => row.length));
  const described = Array.from({ length: count }, (_, index) => ({
    ...columns[index],
    index,
    natural: Math.max(0, ...cells.map((row) => widthOf(row[index]?.text ?? ''))),
  }));
  const shown = fit(described, room - indent, gap);
  return cells.map((row) => {
    const parts = shown.map(({ index, width, align }, place) => {
      const { text, style } = row[index] ?? { text: '', style: null };
      const cut = room === Infinity && columns[index]?.min === undefined ? text : truncate(text, width);
      const space = ' '.repeat(Math.max(0, width - widthOf(cut)));
      const painted = style === null ? cut : paint(style, cut);
      if (align === 'right') return space + painted;
      return place === shown.length - 1 ? painted : painted + space;
    });
    return (' '.repeat(indent) + parts.join(' '.repeat(gap))).trimEnd();
  });
}

interface Described extends Column {
  index: number;
  natural: number;
}

/** Decides which columns are shown, and how wide. */
function fit(columns: readonly Described[], room: number, gap: number): (Described & { width: number })[] {
  const kept = columns
    .filter(({ natural }) => natural > 0)
    .map((column) => ({ ...column, width: Math.min(column.natural, column.max ?? Infinity) }));
  const tooWide = () => sum(kept.map(({ width }) => width)) + gap * (kept.length - 1) > room;
  const shrink = (least: (column: Described) => number, may: (column: Described) => boolean): void => {
    while (tooWide()) {
      const widest = kept
        .filter((column) => may(column) && column.width > least(column))
        .reduce<(typeof kept)[number] | null>(
          (most, one) => (most && most.width >= one.width ? most : one),
          null,
        );
      if (!widest) return;
      widest.width -= 1;
    }
  };
  const toMinimum = ({ min, natural }: Described): number => Math.min(min ?? natural, natural);
  const cut = (): void => {
    shrink(toMinimum, ({ keep }) => !keep);
    shrink(toMinimum, () => true);
  };
  /** Drops columns from the end until the others fit. */
  const drop = (may: (column: Described, index: number) => boolean, squeeze: () => void): void => {
    while (tooWide()) {
      const last = kept.findLastIndex(may);
      if (last === -1) break;
      kept.splice(last, 1);
      for (const column of kept) column.width = Math.min(column.natural, column.max ?? Infinity);
      squeeze();
    }
  };
  cut();
  drop(({ optional }) => optional === true, cut);
  // In a very narrow terminal, a whole name is worth more than the start of each cell.
  const squeeze = (): void => {
    cut();
    shrink(
      () => LEAST_USEFUL_CELL,
      ({ keep }) => !keep,
    );
  };
  squeeze();
  drop(({ keep }, index) => index > 0 && !keep, squeeze);
  shrink(
    () => LEAST_CELL,
    () => true,
  );
  return kept;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export const widthOf = (text: string): number => measure(text).width;

/** Cut to a width, with an ellipsis. */
export function truncate(text: string, width: number): string {
  const { index, ellipsed } = measure(text, { limit: width, ellipsis: '…', ellipsisWidth: 1 });
  return ellipsed ? `${text.slice(0, index).trimEnd()}…` : text.slice(0, index);
}
