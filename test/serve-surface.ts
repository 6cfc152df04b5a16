import type { Implementation } from '../src/contract/api.ts';
import { createHub } from '../src/hub/create-hub.ts';
import type { Hub } from '../src/hub/hub.ts';
import { ensureOperatorToken } from '../src/platform/home/access.ts';
import { type HttpOptions, createHttpApp } from '../src/surfaces/http/app.ts';
import { listen } from '../src/surfaces/http/serve.ts';
import { tempFolder } from './temp-folder.ts';

export type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

export interface ServedSurface extends AsyncDisposable {
  url: string;
  /** `127.0.0.1` and the port. */
  host: string;
  token: string;
  hub: Hub;
  /** What was logged as an error. */
  logged: { err?: unknown; operation?: unknown }[];
  /** As the operator. */
  fetch(path: string, init?: Init): Promise<Response>;
  close(): Promise<void>;
}

export interface SurfaceOptions {
  auth?: boolean;
  allowedHosts?: string[];
  mounts?: HttpOptions['mounts'];
  web?: string;
  /** Operations in place of the hub's own: the surface's side of a failure, a slow answer, a flood. */
  operations?: (hub: Hub) => Partial<Implementation>;
}

/** The HTTP surface over a real hub on a loopback port of its own. */
export async function serveSurface(options: SurfaceOptions = {}): Promise<ServedSurface> {
  const folder = await tempFolder();
  const hub = await createHub({
    home: folder.path,
    env: { ZOO_CONFIG_DIR: folder.path },
    folder: folder.path,
  });
  const { token } = ensureOperatorToken(folder.path);
  const logged: ServedSurface['logged'] = [];
  const served = { ...hub, operations: { ...hub.operations, ...options.operations?.(hub) } };
  const app = createHttpApp(served, {
    auth: options.auth ?? true,
    allowedHosts: options.allowedHosts ?? [],
    log: { error: (details) => logged.push(details) },
    version: '1.2.3',
    mounts: options.mounts ?? [],
    web: options.web ?? null,
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  return {
    url: server.url,
    host: new URL(server.url).host,
    token,
    hub,
    logged,
    fetch: (path, { headers, ...init } = {}) =>
      fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...headers } }),
    close: () => server.close(),
    async [Symbol.asyncDispose]() {
      await server.close();
      await hub.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
