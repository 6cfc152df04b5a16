import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GitServer extends AsyncDisposable {
  url: string;
}

/** Git's own server over HTTP, with the repositories in a folder. */
export async function gitServer(folder: string): Promise<GitServer> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method,
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    });
    backend.stdin.on('error', () => undefined);
    backend.stderr.resume();
    request.pipe(backend.stdin);
    let start = Buffer.alloc(0);
    backend.stdout.on('data', (chunk: Buffer) => {
      if (response.headersSent) {
        response.write(chunk);
        return;
      }
      start = Buffer.concat([start, chunk]);
      const end = start.indexOf('\r\n\r\n');
      if (end < 0) return;
      const headers = start
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ').slice(1).join(': ')]);
      const status = Number(headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200);
      response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
      response.write(start.subarray(end + 4));
    });
    backend.on('close', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
