import type { Id } from './message.ts';

const HEAD = '{"result":';
const TAIL = /"jsonrpc":"2\.0","id":(\d+|"[\w-]+")\}\n$/;
/** Ids are short; one that is not is found by reading the whole line. */
const TAIL_BYTES = 80;

/**
 * Whose result a line is, if it is written as our hub writes them: without reading what is between, which may be
 * long. What ends so ends the outermost object, since quotes within a text would be escaped.
 */
export function plainResultId(line: Buffer): Id | null {
  if (line.toString('latin1', 0, HEAD.length) !== HEAD) return null;
  const id = TAIL.exec(line.toString('latin1', Math.max(0, line.length - TAIL_BYTES)))?.[1];
  if (id === undefined) return null;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}
