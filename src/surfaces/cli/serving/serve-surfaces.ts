import type { Hub } from '../../../hub/hub.ts';
import type { Environment } from '../../../platform/home/paths.ts';
import type { Log } from '../../../platform/home/log.ts';

export interface HttpAddress {
  host: string;
  port: number;
}

export interface HttpSettings extends HttpAddress {
  auth: boolean;
  allowedHosts: readonly string[];
  log: Log;
  version: string;
}

/** Requests and streams that are open, and when the last one ended (as of `performance.now`). */
export interface Use {
  open: number;
  lastAt: number;
}

export interface BridgeSettings {
  home: string;
  path: string;
  /** Whether a bridge started this hub: it ends when nobody uses it, and a newer one may replace it. */
  untilIdle: boolean;
  log: Log;
  version: string;
}

/** The other surfaces. They do not know one another: `main.ts` hands them to the command line. */
export interface OtherSurfaces {
  startHttp(hub: Hub, settings: HttpSettings): Promise<{ url: string; use(): Use; close(): Promise<void> }>;
  /** Listens for bridges at the socket of the home. */
  startSocket(hub: Hub, settings: BridgeSettings): Promise<{ use(): Use; close(): Promise<void> }>;
  /** `zoo mcp`: takes over this process, and ends it when its client is gone. */
  runBridge(options: { env: Environment; folder: string; agent?: string | undefined }): Promise<never>;
}
