import { resolve } from 'node:path';
import { currentFolder } from '../../../platform/bridge/run-bridge.ts';
import { runAcpBridge } from './run-acp-bridge.ts';

/**
 * `zoo acp [AGENT]` without the command line, which would take longer to load than the bridge takes to connect. False
 * for arguments that it does not know: the command line handles them or reports the mistake.
 */
export function acpBridge(words: readonly string[]): boolean {
  const [agent, ...more] = words;
  if (more.length > 0 || agent === '' || agent?.startsWith('-')) return false;
  runAcpBridge({ env: process.env, folder: resolve(currentFolder()), agent });
  return true;
}
