import { createHub, type HubOptions } from '../src/hub/create-hub.ts';
import { createA2AMount } from '../src/surfaces/a2a/mount.ts';
import { createHttpApp } from '../src/surfaces/http/app.ts';
import type { Extension } from '../src/contract/offers/extension.ts';
import { createMcpMount, type McpMountOptions } from '../src/surfaces/mcp/http/mount.ts';
import { listen } from '../src/surfaces/http/serve.ts';
import type { Hub } from '../src/hub/hub.ts';
import { readOperatorToken } from '../src/platform/home/access.ts';
import { tempFolder } from './temp-folder.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line no-explicit-any -- a test looks into answers of every shape
  body: any;
}

export interface RunningHub extends AsyncDisposable {
  url: string;
  token: string;
  /** The folder the hub was started in. */
  folder: string;
  home: string;
  /** In this process, for what HTTP cannot do. */
  hub: Hub;
  /** As the operator, unless headers say otherwise. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface StartOptions {
  env?: Record<string, string>;
  /** A home that is there already, and stays. */
  home?: string;
  /** A folder that is there already, and stays. */
  folder?: string;
  trustAll?: boolean;
  /** Writes and scans in worker threads. */
  threads?: boolean;
  watch?: boolean;
  /** Files of the user's own config directory. */
  own?: Record<string, string>;
  auth?: boolean;
  extensions?: readonly Extension[];
  log?: HubOptions['log'];
  mcp?: Omit<McpMountOptions, 'log'>;
}

/** A real hub on a home, a config directory and a folder of its own, over real HTTP. */
export async function startHub(
  files: Record<string, string> = {},
  options: StartOptions = {},
): Promise<RunningHub> {
  const folder = options.folder === undefined ? await tempFolder(files) : keptFolder(options.folder);
  const home = options.home === undefined ? await tempFolder() : keptFolder(options.home);
  const config = await tempFolder(options.own);
  const hub = await createHub({
    home: home.path,
    env: {
      PATH: process.env['PATH'],
      TMPDIR: process.env['TMPDIR'],
      ...options.env,
      ZOO_CONFIG_DIR: config.path,
    },
    folder: folder.path,
    serving: true,
    // Its threads take three times as long to start as the rest of a hub. `zoo serve` always has them.
    threads: options.threads ?? false,
    watch: options.watch ?? true,
    trustAll: options.trustAll ?? false,
    extensions: options.extensions,
    log: options.log,
  });
  const errors: unknown[] = [];
  const mcp = createMcpMount(hub, {
    log: { error: (message, fields) => errors.push({ message, ...fields }) },
    ...options.mcp,
  });
  const a2a = createA2AMount(hub, {
    log: { error: (message, fields) => errors.push({ message, ...fields }), warn: () => undefined },
    retryMs: 20,
  });
  const app = createHttpApp(hub, {
    auth: options.auth ?? true,
    allowedHosts: [],
    version: '0.1.0',
    log: { error: (details) => errors.push(details) },
    mounts: [{ path: '/mcp', answer: mcp.answer }, a2a],
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  await hub.authenticate({ token: 'makes the operator token' });
  const token = readOperatorToken(home.path) ?? '';
  return {
    url: server.url,
    token,
    folder: folder.path,
    home: home.path,
    hub,
    async request(method, path, body, headers = {}) {
      const response = await fetch(server.url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const json = response.headers.get('content-type')?.includes('json') ?? false;
      return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
    },
    async [Symbol.asyncDispose]() {
      hub.drain();
      await Promise.all([mcp.close(), a2a.close(), server.close()]);
      await hub.close();
      for (const each of [folder, home, config]) await each[Symbol.asyncDispose]();
      if (errors.length > 0)
        throw new Error(`the hub logged ${errors.length} errors: ${JSON.stringify(errors)}`);
    },
  };
}

const keptFolder = (path: string) => ({ path, [Symbol.asyncDispose]: async () => undefined });
