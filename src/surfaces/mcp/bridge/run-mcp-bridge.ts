import { type BridgeTarget, runBridge } from '../../../platform/bridge/run-bridge.ts';
import { createLedger } from './ledger.ts';

/** `zoo mcp`: relays the client's MCP to the hub. */
export function runMcpBridge(target: BridgeTarget): void {
  runBridge({ ...target, protocol: 'mcp', ledger: createLedger() });
}
