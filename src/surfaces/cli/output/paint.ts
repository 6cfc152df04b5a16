import type { Environment } from '../../../platform/home/paths.ts';

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const satisfies Record<string, readonly [on: number, off: number]>;
export type Style = keyof typeof codes;
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;

// Our escape sequences carry numbers that text from outside cannot know, so that they are told apart from others. Each
// has four digits at most: otherwise its width would not be measured as zero.
const MARK = `\u001b[${Array.from({ length: 4 }, () => 1000 + Math.floor(Math.random() * 9000)).join(';')};`;

/** Colour only at a terminal (https://no-color.org). */
export function paintFor(stream: { readonly isTTY: boolean }, env: Environment): Paint {
  if (!stream.isTTY || env['NO_COLOR'] || env['TERM'] === 'dumb') return plain;
  return (style, text) => {
    const [on, off] = codes[style];
    return text === '' ? '' : `${MARK}${on}m${text}${MARK}${off}m`;
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
