import { resolve } from 'node:path';
import { currentFolder } from '../../../platform/bridge/run-bridge.ts';
import { runMcpBridge } from './run-mcp-bridge.ts';

/**
 * `zoo mcp` without the command line, which would take longer to load than the bridge takes to connect. False for
 * arguments that it does not know: the command line handles them or reports the mistake.
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
  // Clients that do not know the variable, or have no folder open, pass `${workspaceFolder}` literally.
  const folder = /^\$\{.*\}$/.test(workspace) ? '' : workspace;
  runMcpBridge({ env: process.env, folder: resolve(currentFolder(), folder), agent });
  return true;
}
