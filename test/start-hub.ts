import { createHub } from '../src/hub/create-hub.ts';
import { createHttpApp } from '../src/surfaces/http/app.ts';
import { listen } from '../src/surfaces/http/serve.ts';
import { readOperatorToken } from '../src/platform/access.ts';
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
  /** As the operator, unless headers say otherwise. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** A real hub on a home, a config directory and a folder of its own, over real HTTP. */
export async function startHub(
  files: Record<string, string> = {},
  options: { trustAll?: boolean; auth?: boolean } = {},
): Promise<RunningHub> {
  const folder = await tempFolder(files);
  const home = await tempFolder();
  const config = await tempFolder();
  const hub = await createHub({
    home: home.path,
    env: { ZOO_CONFIG_DIR: config.path },
    folder: folder.path,
    serving: true,
    threads: true,
    watch: true,
    trustAll: options.trustAll ?? false,
  });
  const errors: unknown[] = [];
  const app = createHttpApp(hub, {
    auth: options.auth ?? true,
    allowedHosts: [],
    version: '0.1.0',
    log: { error: (details) => errors.push(details) },
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  await hub.authenticate({ token: 'makes the operator token' });
  const token = readOperatorToken(home.path) ?? '';
  return {
    url: server.url,
    token,
    folder: folder.path,
    home: home.path,
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
      await server.close();
      await hub.close();
      for (const each of [folder, home, config]) await each[Symbol.asyncDispose]();
      if (errors.length > 0)
        throw new Error(`the hub logged ${errors.length} errors: ${JSON.stringify(errors)}`);
    },
  };
}
