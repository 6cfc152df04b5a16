import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Client, Tool } from '@modelcontextprotocol/client';
import { expect, vi } from 'vitest';

const require = createRequire(import.meta.url);

/** Files of the official servers, for `node FILE`. */
export const EVERYTHING = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
export const FILESYSTEM = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
export const MEMORY = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');

export const FIXTURE = fileURLToPath(new URL('./fixture-server.js', import.meta.url));

/** The fixture server with these settings. */
export function fixture(
  name: string,
  era: 'legacy' | 'modern',
  settings: Record<string, unknown> = {},
  more = '',
): string {
  return stdioServer(name, [FIXTURE, era, JSON.stringify(settings)], more);
}

/** A `[tools.mcp.NAME]` that runs Node.js. */
export function stdioServer(name: string, args: readonly string[], more = ''): string {
  const command = JSON.stringify(process.execPath);
  return `[tools.mcp.${name}]\ncommand = ${command}\nargs = ${JSON.stringify(args)}\n${more}\n`;
}

export function isAlive(pid: number): boolean {
  try {
    // A zombie has ended.
    return process.kill(pid, 0) && !/^State:\s+Z/m.test(statusOf(pid));
  } catch {
    return false;
  }
}

const statusOf = (pid: number): string =>
  process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';

/** The pids of the MCP servers that a process has started. */
export function processesOf(parent: number): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [pid, ppid, ...args] = line.trim().split(/\s+/);
    return Number(ppid) === parent && args.join(' ').includes('modelcontextprotocol') ? [Number(pid)] : [];
  });
}

export interface HttpServer extends AsyncDisposable {
  url: string;
  pid: number;
}

/** The official "everything" server, over HTTP. */
export async function everythingOverHttp(
  mode: 'streamableHttp' | 'sse' = 'streamableHttp',
  at?: number,
): Promise<HttpServer> {
  const port = at ?? (await freePort());
  const child = spawn(process.execPath, [EVERYTHING, mode], {
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Keep reading: it would block on a full pipe.
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => void (String(chunk).includes(String(port)) && resolve()));
  });
  return {
    url: `http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGKILL')) await gone;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The tools of a client, once this one is among them: listing waits only briefly for a server to start. */
export async function toolsWith(client: Client, wanted: string): Promise<Tool[]> {
  return vi.waitFor(
    async () => {
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
      expect(tools.map(({ name }) => name)).toContain(wanted);
      return tools;
    },
    { timeout: 40_000, interval: 100 },
  );
}
