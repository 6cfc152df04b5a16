import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { FuzzTarget } from './fuzz-target.ts';

const Answer = z.looseObject({ id: z.unknown().optional() });
const PATIENCE_MS = 30_000;

export interface SocketClient {
  /** The answer under this id; null if the hub has closed the connection. */
  send(line: string, id: string | null): Promise<string | null>;
  readonly closed: boolean;
  close(): void;
}

/** Speaks to the hub as the bridge does, past its first line. */
export async function openSocketClient({
  socket: path,
  token,
  work,
}: Pick<FuzzTarget, 'socket' | 'token' | 'work'>): Promise<SocketClient> {
  const socket: Socket = connect(path);
  socket.on('error', () => undefined);
  const waiting = new Map<string, (line: string | null) => void>();
  const lines = createInterface({ input: socket });
  const welcomed = once(lines, 'line');
  socket.write(`${JSON.stringify({ token, workspace: work, version: '0.1.0', pid: process.pid })}\n`);
  await welcomed;
  lines.on('line', (line) => {
    const id = String(Answer.parse(JSON.parse(line)).id);
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  socket.once('close', () => {
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  });
  return {
    get closed() {
      return socket.destroyed;
    },
    close: () => socket.destroy(),
    send(line, id) {
      socket.write(`${line}\n`);
      if (id === null) return Promise.resolve(null);
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS);
        waiting.set(id, (answer) => {
          clearTimeout(late);
          resolve(answer);
        });
      });
    },
  };
}
