import type { Environment } from '../../../platform/home/paths.ts';

/**
 * Legible on light and dark backgrounds: yellow, cyan and faint text are hard to read on light ones, plain
 * red on dark ones. `dim` is a grey of fixed brightness. Nothing is expressed by colour alone.
 */
const codes = {
  bold: ['1', '22'],
  dim: ['38;5;244', '39'],
  alert: ['1;31', '22;39'],
  warning: ['1;35', '22;39'],
  /** Lines of diffs, as git paints them. */
  removed: ['31', '39'],
  added: ['32', '39'],
} as const satisfies Record<string, readonly [on: string, off: string]>;
export type Style = keyof typeof codes;
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;

// Our escape sequences contain random numbers, so that text from outside cannot imitate them. Each number has
// at most four digits: otherwise the width of the sequence would not be measured as zero.
const MARK = `\u001b[${Array.from({ length: 4 }, () => 1000 + Math.floor(Math.random() * 9000)).join(';')};`;

/** Colour only at a terminal (https://no-color.org). */
export function paintFor(stream: { readonly isTTY: boolean }, env: Environment): Paint {
  if (!stream.isTTY || env['NO_COLOR'] || env['TERM'] === 'dumb') return plain;
  const hasGreys = env['COLORTERM'] !== undefined || /256|direct|kitty|ghostty|foot/.test(env['TERM'] ?? '');
  return (style, text) => {
    const [on, off] = codes[style];
    return text === '' || (style === 'dim' && !hasGreys) ? text : `${MARK}${on}m${text}${MARK}${off}m`;
  };
}

/** Turns what `paint` marked into escape sequences, and passes the text between them through `show`. */
export function renderStyles(text: string, show: (text: string) => string): string {
  const [first = '', ...rest] = text.split(MARK);
  return (
    show(first) +
    rest
      .map((part) => {
        const end = part.indexOf('m');
        return `\u001b[${part.slice(0, end)}m${show(part.slice(end + 1))}`;
      })
      .join('')
  );
}
