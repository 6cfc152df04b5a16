import type { Id } from '../../../platform/bridge/message.ts';

const HEAD = '{"result":';
const TAIL = /"jsonrpc":"2\.0","id":(\d+|"[\w-]+")\}\n$/;
/** Longer ids are found by parsing the whole line. */
const TAIL_BYTES = 80;

/**
 * The id of a result as our hub writes it, without parsing the result itself, which may be long. This ending closes
 * the outermost object, since quotes within a string would be escaped.
 */
export function plainResultId(line: Buffer): Id | null {
  if (line.toString('latin1', 0, HEAD.length) !== HEAD) return null;
  const id = TAIL.exec(line.toString('latin1', Math.max(0, line.length - TAIL_BYTES)))?.[1];
  if (id === undefined) return null;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}
