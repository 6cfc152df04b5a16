import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import * as z from 'zod';
import type { Environment } from '../../../platform/home/paths.ts';
import { inheritedEnv } from '../../../platform/processes/inherited-env.ts';
import { signalGroup, trackGroup } from '../../../platform/processes/process-groups.ts';
import type { ProcessRecords } from '../../../platform/processes/process-records.ts';
import { createTail, secretsOf } from '../../../platform/processes/tail.ts';
import type { Launch } from '../upstream.ts';

const GRACE_MS = 1500;
/** A line that never ends is no message. */
const MAX_LINE = 64 * 1024 * 1024;

/** How a process ended, or why it never began. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  error: Error | null;
}

/** A process that speaks MCP, a message a line. What it says besides is kept for diagnosis. */
export interface StdioTransport extends Transport {
  readonly pid: number | null;
  /** By these two the SDK knows that it talks to a process. */
  readonly stderr: null;
  /** The last lines of its standard error, and of what else it said on its standard output. */
  said(): string;
  exit(): Exit | null;
  send(message: JSONRPCMessage): Promise<void>;
}

const Message = z.custom<JSONRPCMessage>(
  (value) => typeof value === 'object' && value !== null && Reflect.get(value, 'jsonrpc') === '2.0',
);

export function createStdioTransport(
  launch: Extract<Launch, { kind: 'stdio' }>,
  { env, records }: { env: Environment; records: Pick<ProcessRecords, 'note'> },
): StdioTransport {
  const tail = createTail(secretsOf(launch.env));
  let child: ReturnType<typeof spawn> | null = null;
  let exit: Exit | null = null;
  let partial: string[] = [];
  let size = 0;

  const takeLine = (line: string): void => {
    if (line.trim() === '') return;
    const message = parseMessage(line);
    if (message === null) tail.add(`${line}\n`);
    else transport.onmessage?.(message);
  };
  const take = (chunk: string): void => {
    const [first = '', ...rest] = chunk.split('\n');
    partial.push(first);
    size += first.length;
    for (const next of rest) {
      const line = partial.join('');
      partial = [next];
      size = next.length;
      takeLine(line);
    }
    if (size > MAX_LINE) partial = [];
  };

  const transport: StdioTransport = {
    get pid() {
      return child?.pid ?? null;
    },
    stderr: null,
    said: () => tail.text(),
    exit: () => exit,

    start() {
      return new Promise((resolve, reject) => {
        const started = spawn(launch.command, [...launch.args], {
          env: { ...inheritedEnv(env), ...launch.env },
          cwd: launch.cwd,
          stdio: ['pipe', 'pipe', 'pipe'],
          detached: process.platform !== 'win32',
          windowsHide: true,
        });
        child = started;
        trackGroup(started);
        records.note(started, launch.command);
        const ended = (how: Exit): void => {
          if (exit) return;
          exit = how;
          transport.onclose?.();
        };
        started.once('spawn', resolve);
        // Not once: an error that nobody listens for ends the hub.
        started.on('error', (error) => {
          reject(error);
          // One that runs has not ended because a signal could not be sent to it.
          if (started.pid === undefined) ended({ code: null, signal: null, error });
        });
        // Not `close`: a helper that inherited its pipes would keep that from happening.
        started.once('exit', (code, signal) => {
          // What it wrote last may still be on its way.
          setTimeout(() => ended({ code, signal, error: null }), 20);
        });
        for (const stream of [started.stdin, started.stdout, started.stderr]) {
          stream?.on('error', () => undefined);
        }
        started.stdout?.setEncoding('utf8').on('data', take);
        started.stderr?.setEncoding('utf8').on('data', (text: string) => tail.add(text));
      });
    },

    async send(message) {
      const stdin = child?.stdin;
      if (!stdin?.writable || exit) throw new Error('the process has ended');
      if (stdin.write(`${JSON.stringify(message)}\n`)) return;
      await new Promise<void>((resolve) => {
        stdin.once('drain', resolve);
        stdin.once('close', resolve);
      });
    },

    async close() {
      const running = child;
      const pid = running?.pid;
      if (!running || pid === undefined || exit) return;
      const gone = new Promise<void>((resolve) => running.once('exit', () => resolve()));
      running.stdin?.end();
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (await within(gone, signal === 'SIGTERM' ? GRACE_MS / 3 : GRACE_MS)) break;
        signalGroup(pid, signal);
      }
      await within(gone, GRACE_MS);
    },
  };
  return transport;
}

function parseMessage(line: string): JSONRPCMessage | null {
  try {
    return Message.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const inTime = (await Promise.race([promise, late])) !== false;
  clearTimeout(timer);
  return inTime;
}
