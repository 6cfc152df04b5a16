import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';

const require = createRequire(import.meta.url);

/** Where the official servers are, as `node FILE` starts them. */
const file = (name: string): string => require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
export const EVERYTHING = file('everything');
export const FILESYSTEM = file('filesystem');
export const MEMORY = file('memory');

/** A `[tools.mcp.NAME]` that starts a program of Node's. */
export function stdioServer(name: string, args: readonly string[], more = ''): string {
  const command = JSON.stringify(process.execPath);
  return `[tools.mcp.${name}]\ncommand = ${command}\nargs = ${JSON.stringify(args)}\n${more}\n`;
}

export interface HttpServer extends AsyncDisposable {
  url: string;
  pid: number;
}

/** The official server for everything, over HTTP. */
export async function everythingOverHttp(
  mode: 'streamableHttp' | 'sse' = 'streamableHttp',
): Promise<HttpServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [EVERYTHING, mode], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const chunk of child.stderr) if (String(chunk).includes(String(port))) break;
  return {
    url: `http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGKILL')) await gone;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
