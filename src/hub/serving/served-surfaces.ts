import type { Log } from '../../platform/home/log.ts';
import type { Hub } from '../hub.ts';
import type { Use } from '../wing.ts';

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

export interface BridgeSettings {
  home: string;
  path: string;
  /** Whether a bridge started this hub: it then exits when idle, and a newer version may replace it. */
  untilIdle: boolean;
  log: Log;
  version: string;
}

/** The surfaces that a hub listens on. They do not know one another: `wiring.ts` brings them together. */
export interface ServedSurfaces {
  startHttp(hub: Hub, settings: HttpSettings): Promise<{ url: string; use(): Use; close(): Promise<void> }>;
  /** Listens for bridges at the socket of the home. */
  startSocket(hub: Hub, settings: BridgeSettings): Promise<{ use(): Use; close(): Promise<void> }>;
}
