import type { ServedSurfaces } from '../../../hub/serving/served-surfaces.ts';
import type { BridgeTarget } from '../../../platform/bridge/run-bridge.ts';

/** The other surfaces. They do not know one another: `main.ts` hands them to the command line. */
export interface OtherSurfaces extends ServedSurfaces {
  /** `zoo mcp`: takes over this process, and ends it when its client is gone. */
  runBridge(target: BridgeTarget): Promise<never>;
  /** `zoo acp`, likewise. */
  runAcpBridge(target: BridgeTarget): Promise<never>;
}
