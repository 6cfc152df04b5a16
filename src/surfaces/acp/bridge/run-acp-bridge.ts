import { type BridgeTarget, runBridge } from '../../../platform/bridge/run-bridge.ts';
import { createAcpLedger } from './acp-ledger.ts';

/** `zoo acp`: relays an editor's ACP to the hub. */
export function runAcpBridge(target: BridgeTarget): void {
  runBridge({ ...target, protocol: 'acp', ledger: createAcpLedger() });
}
