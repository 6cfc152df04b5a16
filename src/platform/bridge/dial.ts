import { type Socket, connect } from 'node:net';
import { type Hello, type Welcome, parseWelcome } from './hello.ts';
import { readFirstLine } from './first-line.ts';

export type Dialled =
  | { socket: Socket; welcome: Extract<Welcome, { ok: true }> }
  | { refused: { code: string; message: string } };

/** Connects to the hub at a socket. Null if nothing listens, or it closes without an answer, as a stopping hub does. */
export async function dial(path: string, hello: Hello): Promise<Dialled | null> {
  const socket = await open(path);
  if (!socket) return null;
  socket.write(`${JSON.stringify(hello)}\n`);
  const line = await readFirstLine(socket);
  const welcome = line === null ? null : parseWelcome(line);
  if (welcome && 'ok' in welcome) return { socket, welcome };
  socket.destroy();
  return welcome && { refused: welcome.error };
}

function open(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    // Stays attached: later errors surface to the reader as the end of the stream.
    socket.on('error', () => resolve(null));
    socket.once('connect', () => resolve(socket));
  });
}
