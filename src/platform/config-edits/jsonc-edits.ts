import type { Node } from 'jsonc-parser';
import { isTable } from './format.ts';

// In a multi-line object, a new property gets its own lines with the file's indentation; in a one-line object, it
// stays on that line.

export function insertProperty(text: string, object: Node, key: string, value: unknown): string {
  const end = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const inner = text.slice(object.offset + 1, end);
  // After the comments of an otherwise empty object.
  const bottom = object.offset + 1 + inner.trimEnd().length;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (last ? !inner.includes('\n') : text.trim() !== '{}' && !text.trim().includes('\n')) {
    const property = `${JSON.stringify(key)}${inner.includes('": ') ? ': ' : ':'}${JSON.stringify(value)}`;
    return last
      ? insertBehind(text, last, end, / $|, /.test(inner) ? ' ' : '', property)
      : splice(text, bottom, bottom, property);
  }
  const unit = unitOf(text);
  const outer = indentAt(text, object.offset);
  const indent = (last && ownIndent(text, last.offset)) ?? outer + unit;
  const property = `${JSON.stringify(key)}: ${render(value, indent, unit, eol)}`;
  if (last) return insertBehind(text, last, end, eol + indent, property);
  if (inner.trim() === '') return fill(text, object, `${eol}${indent}${property}${eol}${outer}`);
  const rest = text.slice(bottom, end).includes('\n') ? '' : eol + outer;
  return splice(text, bottom, bottom, eol + indent + property + rest);
}

/** A comment on the line of the previous property stays with it. */
function insertBehind(text: string, last: Node, end: number, gap: string, property: string): string {
  const value = last.offset + last.length;
  const { comma, at } = trail(text, value, end);
  const inserted = splice(text, at, at, gap + property + (comma === null ? '' : ','));
  return comma === null ? splice(inserted, value, value, ',') : inserted;
}

const fill = (text: string, object: Node, inner: string): string =>
  splice(text, object.offset + 1, object.offset + object.length - 1, inner);

export function replaceValue(text: string, old: Node, value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const rendered = render(value, indentAt(text, old.offset), unitOf(text), eol);
  return splice(text, old.offset, old.offset + old.length, rendered);
}

export function removeProperty(text: string, object: Node, property: Node): string {
  const siblings = object.children ?? [];
  const index = siblings.indexOf(property);
  const close = object.offset + object.length - 1;
  const value = property.offset + property.length;
  const { comma } = trail(text, value, siblings[index + 1]?.offset ?? close);
  const from = gapBefore(text, property.offset, object.offset + 1);
  const to = comma === null ? value : comma + 1;
  const previous = siblings[index - 1];
  if (
    !previous &&
    siblings.length === 1 &&
    (text.slice(object.offset + 1, from) + text.slice(to, close)).trim() === ''
  ) {
    return fill(text, object, '');
  }
  const removed = splice(text, from, to, '');
  if (comma !== null || !previous) return removed;
  // Ours was the last, so the comma before it goes too.
  const before = trail(text, previous.offset + previous.length, property.offset).comma;
  return before === null ? removed : splice(removed, before, before + 1, '');
}

/** Between a value and what follows it there is nothing else than this. */
const trivia = /[ \t\r]+|\n|,|\/\/[^\n\r]*|\/\*[^]*?\*\//gy;

/** The comma after a value, and the end of its line after any comments. */
function trail(text: string, from: number, end: number): { comma: number | null; at: number } {
  let comma: number | null = null;
  let at = from;
  let sameLine = true;
  for (const { 0: token, index } of text.slice(from, end).matchAll(trivia)) {
    if (token === '\n') sameLine = false;
    else if (token === ',') {
      comma = from + index;
      at = comma + 1;
      sameLine = true;
    } else if (token.startsWith('/') && sameLine) at = from + index + token.length;
  }
  return { comma, at };
}

/** Skips back over white space and at most one line break. */
function gapBefore(text: string, offset: number, least: number): number {
  let at = offset;
  while (at > least && /[ \t]/.test(text.charAt(at - 1))) at -= 1;
  if (at > least && text.charAt(at - 1) === '\n') at -= text.charAt(at - 2) === '\r' ? 2 : 1;
  return at;
}

/** Lists of plain values stay on one line. */
function render(value: unknown, indent: string, unit: string, eol: string): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  }
  if (!isTable(value)) return JSON.stringify(value);
  const inner = Object.entries(value).map(
    ([key, item]) => `${indent}${unit}${JSON.stringify(key)}: ${render(item, indent + unit, unit, eol)}`,
  );
  return inner.length === 0 ? '{}' : `{${eol}${inner.join(`,${eol}`)}${eol}${indent}}`;
}

/** The file's indentation: the smallest of any line. */
function unitOf(text: string): string {
  const indents = Array.from(text.matchAll(/\n([ \t]+)["{}[\]]/g), ([, indent = '']) => indent);
  return indents.reduce((least, one) => (one.length < least.length ? one : least), indents[0] ?? '  ');
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';
}

/** Null if the line has other content before it. */
function ownIndent(text: string, offset: number): string | null {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return before.trim() === '' ? before : null;
}

function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}
