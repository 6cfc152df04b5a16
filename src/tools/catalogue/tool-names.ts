import { createHash } from 'node:crypto';
import type { ToolDescriptor } from '../../contract/tool.ts';

const LONGEST = 64;
const HASHED = /_[0-9a-f]{8}$/;

/**
 * The names of a tool: `server.tool` for people, `server__tool` on the wire. A tool without a server has one name.
 * They depend on nothing but the two words, so they are the same after a restart and whatever else there is; and no
 * two tools of servers share a wire name: one that could be read in two ways, is too long or has other characters
 * than MCP's clients take ends with a hash of what it stands for.
 */
export function toolNames(server: string | null, tool: string): Pick<ToolDescriptor, 'name' | 'displayName'> {
  const displayName = server === null ? tool : `${server}.${tool}`;
  const plain = server === null ? tool : `${server}__${tool}`;
  // With no `__` in a server's name and no `_` at its end, the first `__` is where the tool's name begins.
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
