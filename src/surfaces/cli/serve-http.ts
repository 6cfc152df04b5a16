import type { Hub } from '../../hub/hub.ts';
import type { Log } from '../../platform/log.ts';

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

/** Surfaces do not know one another: `main.ts` hands the HTTP one to `serve`. */
export type StartHttp = (
  hub: Hub,
  settings: HttpSettings,
) => Promise<{ url: string; close(): Promise<void> }>;
