import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Exit, Processes, RunningProcess } from '../../../platform/processes/processes.ts';
import type { Launch } from '../upstream.ts';
import { asError } from '../../../platform/text/error-message.ts';

/** Longer lines are not treated as messages. */
const MAX_LINE = 64 * 1024 * 1024;

/** A process that speaks MCP, one message per line. Other output is kept for diagnosis. */
export interface StdioTransport extends Transport {
  readonly pid: number | null;
  /** The SDK recognises a process by `pid` and `stderr`. */
  readonly stderr: null;
  /** The last lines of its standard error, and of anything else on its standard output. */
  said(): string;
  exit(): Exit | null;
  /** Resolves when the process has exited, or after this time. */
  exited(withinMs: number): Promise<void>;
  send(message: JSONRPCMessage): Promise<void>;
  /** Called first for every message; returns true if it has handled it. */
  intercept: ((message: JSONRPCMessage) => boolean) | undefined;
}

// Checks only the envelope: the SDK validates messages, and parsing them twice would slow down every call.
const isMessage = (value: unknown): value is JSONRPCMessage =>
  typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';

export function createStdioTransport(
  launch: Extract<Launch, { kind: 'stdio' }>,
  processes: Pick<Processes, 'start'>,
): StdioTransport {
  let running: RunningProcess | null = null;
  let starting: Promise<void> | null = null;
  let failure: Exit | null = null;
  let closed = false;

  async function start(): Promise<void> {
    try {
      running = await processes.start(launch);
    } catch (error) {
      failure = {
        code: null,
        signal: null,
        error: asError(error),
      };
      transport.onclose?.();
      throw error;
    }
    if (closed) throw new Error('closed while the process was starting');
    const { note, stdout, ended } = running;
    const takeLine = (line: string): void => {
      if (line.trim() === '') return;
      const message = parseMessage(line);
      if (message === null) note(`${line}\n`);
      else if (!transport.intercept?.(message)) transport.onmessage?.(message);
    };
    stdout.setEncoding('utf8').on('data', createLineReader(takeLine));
    void ended.then(() => transport.onclose?.());
  }

  const transport: StdioTransport = {
    get pid() {
      return running?.pid ?? null;
    },
    stderr: null,
    intercept: undefined,
    said: () => running?.said() ?? '',
    exit: () => running?.exit() ?? failure,
    async exited(withinMs) {
      await Promise.race([running?.ended, sleep(withinMs, undefined, { ref: false })]);
    },

    start() {
      starting = start();
      return starting;
    },

    async send(message) {
      if (!running) throw new Error('the process has not been started');
      await running.write(`${JSON.stringify(message)}\n`);
    },

    async close() {
      closed = true;
      await starting?.catch(() => undefined);
      await running?.stop();
    },
  };
  return transport;
}

/** Collects chunks into lines without joining a long line again for every chunk. */
function createLineReader(onLine: (line: string) => void): (chunk: string) => void {
  let partial: string[] = [];
  let size = 0;
  return (chunk) => {
    const [first = '', ...rest] = chunk.split('\n');
    partial.push(first);
    size += first.length;
    for (const next of rest) {
      const line = partial.join('');
      partial = [next];
      size = next.length;
      onLine(line);
    }
    if (size > MAX_LINE) partial = [];
  };
}

function parseMessage(line: string): JSONRPCMessage | null {
  try {
    const value: unknown = JSON.parse(line);
    return isMessage(value) ? value : null;
  } catch {
    return null;
  }
}
