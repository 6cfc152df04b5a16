import type { Readable, Writable } from 'node:stream';

/** The connection to one editor. */
export interface EditorStreams {
  input: Readable;
  output: Writable;
}

export function readableFrom(input: Readable): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const close = (): void => {
          if (open) controller.close();
          open = false;
        };
        input.on('data', (bytes: Buffer) => {
          if (!open) return;
          controller.enqueue(new Uint8Array(bytes));
          if ((controller.desiredSize ?? 0) <= 0) input.pause();
        });
        input.once('end', close).once('close', close);
      },
      pull: () => void input.resume(),
      cancel: () => void (open = false),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 1024 * 1024 }),
  );
}

export function writableTo(output: Writable): WritableStream<Uint8Array> {
  return new WritableStream<Uint8Array>({
    write(bytes) {
      if (output.destroyed) throw new Error('The editor has disconnected.');
      if (output.write(bytes)) return undefined;
      return new Promise<void>((resolve) => {
        const settle = (): void => {
          output.off('drain', settle).off('close', settle);
          resolve();
        };
        output.once('drain', settle).once('close', settle);
      });
    },
  });
}
