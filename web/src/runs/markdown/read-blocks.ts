import { Marked, type MarkedToken, type Token, type Tokens, type TokensList } from 'marked';

export interface MathToken extends Tokens.Generic {
  type: 'maths';
  tex: string;
  display: boolean;
}

const kinds = new Set(
  (
    'blockquote br checkbox code codespan def del em escape heading hr html image link list list_item maths ' +
    'paragraph space strong table text'
  ).split(' '),
);

/** Every token is one of the lexer's own or of our extension. */
export const isKnown = (token: Token): token is MarkedToken | MathToken => kinds.has(token.type);

/** `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. A dollar beside a digit is money. */
const INLINE = /^(?:\$(?![\s\d])((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\d)|\\\(([\s\S]+?)\\\))/;
const DISPLAY = /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])(?:\n|$)?/;

const maths = (raw: string, tex: string, display: boolean): MathToken => ({
  type: 'maths',
  raw,
  tex: tex.trim(),
  display,
});

const markdown = new Marked({
  gfm: true,
  extensions: [
    {
      name: 'maths',
      level: 'block',
      start: (text: string) => text.search(/\$\$|\\\[/),
      tokenizer(text: string) {
        const found = DISPLAY.exec(text);
        return found ? maths(found[0], found[1] ?? found[2] ?? '', true) : undefined;
      },
    },
    {
      name: 'maths',
      level: 'inline',
      start: (text: string) => text.search(/\$|\\\(/),
      tokenizer(text: string) {
        const found = DISPLAY.exec(text) ?? INLINE.exec(text);
        return found ? maths(found[0], found[1] ?? found[2] ?? '', found[0].startsWith('$$')) : undefined;
      },
    },
  ],
});

/** Blocks at the end that more text may still change: a list goes on, a line becomes a heading. */
const UNSETTLED = 2;

export interface Blocks {
  text: string;
  tokens: readonly Token[];
}

export const NO_BLOCKS: Blocks = { text: '', tokens: [] };

/**
 * The blocks of a text, given those of an earlier state of it. Where text was only added, blocks that can no longer
 * change keep their identity, so that a long answer costs as much per piece as a short one.
 */
export function readBlocks(given: string, before: Blocks): Blocks {
  // The lexer normalises line ends; without this, the lengths of its blocks would not add up.
  const text = given.includes('\r') ? given.replaceAll(/\r\n?/g, '\n') : given;
  if (text === before.text) return before;
  const settled = text.startsWith(before.text) ? before.tokens.slice(0, -UNSETTLED) : [];
  const from = settled.reduce((sum, { raw }) => sum + raw.length, 0);
  const rest: TokensList = markdown.lexer(text.slice(from));
  return { text, tokens: [...settled, ...rest] };
}
