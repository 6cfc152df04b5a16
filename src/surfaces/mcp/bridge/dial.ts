import { type Socket, connect } from 'node:net';
import { type Hello, type Welcome, parseWelcome } from '../socket/hello.ts';
import { readFirstLine } from '../socket/first-line.ts';

export type Dialled =
  | { socket: Socket; welcome: Extract<Welcome, { ok: true }> }
  | { refused: { code: string; message: string } };

/** Says hello to the hub at a socket; null when nobody is there, or it goes without a word, as one that ends does. */
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
    // Also for later: whoever reads from it learns from its end what there is to learn.
    socket.on('error', () => resolve(null));
    socket.once('connect', () => resolve(socket));
  });
}
