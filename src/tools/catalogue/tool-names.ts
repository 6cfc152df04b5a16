import { createHash } from 'node:crypto';
import type { ToolDescriptor } from '../../contract/tool.ts';

const LONGEST = 64;
const HASHED = /_[0-9a-f]{8}$/;

/**
 * The names of a tool: `server.tool` for people, `server__tool` on the wire. A tool without a server has one name.
 * They depend on these two words only, so they stay the same after a restart. No two upstream tools share a wire
 * name: one that is ambiguous, too long, or has characters that MCP clients refuse ends with a hash.
 */
export function toolNames(server: string | null, tool: string): Pick<ToolDescriptor, 'name' | 'displayName'> {
  const displayName = server === null ? tool : `${server}.${tool}`;
  const plain = server === null ? tool : `${server}__${tool}`;
  // Otherwise the first `__` separates server and tool.
  const ambiguous = server !== null && (server === '' || server.includes('__') || server.endsWith('_'));
  if (!ambiguous && /^[a-zA-Z0-9_-]{1,64}$/.test(plain) && !HASHED.test(plain)) {
    return { name: plain, displayName };
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, 8);
  const sanitised = plain.replace(/[^a-zA-Z0-9_-]/gu, '_').slice(0, LONGEST - hash.length - 1);
  return { name: `${sanitised}_${hash}`, displayName };
}
