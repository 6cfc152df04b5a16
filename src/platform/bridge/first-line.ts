import type { Socket } from 'node:net';

/** A handshake is a token, two names and two numbers. */
const MAX_BYTES = 64 * 1024;
/** Timeout of the handshake. Loading the agents of a large folder can take seconds. */
const PATIENCE_MS = 10_000;

/** Null if no line arrives. Data after the line stays in the socket. */
export function readFirstLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let read = Buffer.alloc(0);
    const finish = (line: string | null): void => {
      clearTimeout(timer);
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd);
      resolve(line);
    };
    const onEnd = (): void => finish(null);
    const onReadable = (): void => {
      for (let chunk = readChunk(socket); chunk; chunk = readChunk(socket)) {
        read = Buffer.concat([read, chunk]);
        const end = read.indexOf(0x0a);
        if (end >= 0) {
          if (end + 1 < read.length) socket.unshift(read.subarray(end + 1));
          return finish(read.toString('utf8', 0, end));
        }
        if (read.length > MAX_BYTES) return finish(null);
      }
    };
    const timer = setTimeout(onEnd, PATIENCE_MS);
    socket.on('readable', onReadable).once('end', onEnd).once('close', onEnd);
  });
}

function readChunk(socket: Socket): Buffer | null {
  const chunk: unknown = socket.read();
  return Buffer.isBuffer(chunk) ? chunk : null;
}
