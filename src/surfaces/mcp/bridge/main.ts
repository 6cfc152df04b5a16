import { resolve } from 'node:path';
import { runBridge } from './run-bridge.ts';

/**
 * `zoo mcp` without the command line, which would take longer to load than the bridge takes to connect. False for
 * words that need explaining: the command line knows them, or says what is wrong with them.
 */
export function bridge(words: readonly string[]): boolean {
  const options: { agent?: string; workspace?: string } = {};
  for (let at = 0; at < words.length; at += 1) {
    const [, name, joined] = /^--(agent|workspace)(?:=(.+))?$/.exec(words[at] ?? '') ?? [];
    if (joined === undefined) at += 1;
    const value = joined ?? words[at];
    if (!(name === 'agent' || name === 'workspace') || !value || value.startsWith('-')) return false;
    options[name] = value;
  }
  const { agent, workspace = '' } = options;
  // A client that knows no such variable, or has no folder open, hands `${workspaceFolder}` over as it is.
  const folder = /^\$\{.*\}$/.test(workspace) ? '' : workspace;
  runBridge({ env: process.env, folder: resolve(currentFolder(), folder), agent });
  return true;
}

/** A folder that was deleted has no path any more; the hub then says that it is not there. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}
