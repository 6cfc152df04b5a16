import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { tempHome } from '../zoo-command.ts';
import { PATIENCE } from '../patience.ts';

export type Era = 'legacy' | 'modern';
export const eras: readonly Era[] = ['legacy', 'modern'];

const program = fileURLToPath(new URL('../../dist/zoo.js', import.meta.url));

export interface BridgeClient extends AsyncDisposable {
  client: Client;
  /** Of the bridge. */
  pid: number;
  /** Methods of the notifications so far. */
  heard: string[];
  said(): string;
}

interface ClientOptions {
  era?: Era;
  args?: readonly string[];
  env?: Record<string, string>;
  program?: string;
  cwd?: string;
}

/** For tests: a home without a hub, and clients that come to it through bridges. Whatever they start ends with it. */
export async function bridgeHome(files: Record<string, string> = {}, env: Record<string, string> = {}) {
  const home = await tempHome(files);
  const homeEnv: Record<string, string> = Object.fromEntries(
    Object.entries({ ...home.env, ZOO_IDLE_MS: '3000', ...env }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const path = homeEnv['ZOO_HOME'] ?? '';
  const children: ChildProcess[] = [];

  /** Every hub that has served this home, by its log. */
  const hubs = (): number[] => {
    const log = join(path, 'logs', 'hub.log');
    if (!existsSync(log)) return [];
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    return lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'serving')
      .map(({ pid }) => pid);
  };

  return {
    ...home,
    home: path,
    env: homeEnv,
    hubs,
    /** Everything that runs for this home: bridges, hubs, and hubs that gave way to another. */
    processes: () =>
      process.platform === 'linux' ? processesWith(`ZOO_HOME=${path}`) : hubs().filter(isAlive),
    hub: (): { pid: number; url: string; version: string; secret: string } =>
      JSON.parse(readFileSync(join(path, 'hub.json'), 'utf8')),

    /** An SDK client at the end of a bridge, connected. */
    async connect(options: ClientOptions = {}): Promise<BridgeClient> {
      const heard: string[] = [];
      const modern = options.era === 'modern';
      const client = new Client(
        { name: 'test', version: '1' },
        modern ? { versionNegotiation: { mode: 'auto' } } : {},
      );
      client.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [options.program ?? program, 'mcp', ...(options.args ?? [])],
        env: { ...homeEnv, ...options.env },
        cwd: options.cwd ?? home.work,
        stderr: 'pipe',
      });
      let said = '';
      transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await client.connect(transport);
      return {
        client,
        heard,
        pid: transport.pid ?? 0,
        said: () => said,
        [Symbol.asyncDispose]: () => client.close(),
      };
    },

    /** A bridge to be spoken to in lines. */
    bridge(args: readonly string[] = [], more: Record<string, string> = {}) {
      const child = spawn(process.execPath, [program, 'mcp', ...args], {
        cwd: home.work,
        env: { ...homeEnv, ...more },
      });
      children.push(child);
      return openLines(child);
    },

    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      for (const pid of hubs()) kill(pid);
      await until(() => hubs().every((pid) => !isAlive(pid)));
      await home[Symbol.asyncDispose]();
    },
  };
}

export type BridgeHome = Awaited<ReturnType<typeof bridgeHome>>;

function openLines(child: ChildProcess) {
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let rest = '';
  let said = '';
  child.stdin?.on('error', () => undefined);
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const next = waiting.shift();
      if (next) next(part);
      else lines.push(part);
    }
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    child,
    exited,
    said: () => said,
    send: (message: unknown): void =>
      void child.stdin?.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`),
    next: async () => {
      const line = lines.shift();
      return JSON.parse(line ?? (await new Promise<string>((resolve) => waiting.push(resolve))));
    },
  };
}

/** What has ended and waits for its parent to notice does not count. */
export function isAlive(pid: number): boolean {
  try {
    const stat = `/proc/${pid}/stat`;
    return process.kill(pid, 0) && !(existsSync(stat) && / Z /.test(readFileSync(stat, 'utf8')));
  } catch {
    return false;
  }
}

function processesWith(variable: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable);
      } catch {
        // It has ended meanwhile, or is another user's.
        return false;
      }
    });
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** On a busy machine a hub takes long enough to start for a bridge to say so. */
export const withoutWaiting = (said: string): string =>
  said.replace('Waiting for the Agent Zoo hub to start…\n', '');

export async function until(holds: () => boolean, patienceMs = PATIENCE.timeout): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!holds()) {
    if (performance.now() > deadline)
      throw new Error(`still not true after ${patienceMs} ms: ${String(holds)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const initialize = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};
