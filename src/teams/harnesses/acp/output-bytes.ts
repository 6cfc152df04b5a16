import type { RunningProcess } from '../../../platform/processes/processes.ts';

/** Longer than any sensible message; without a bound, a line that never ends would fill the memory of the hub. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Ends with the process rather than with its output, so that a turn fails with the reason of the exit. */
export function outputBytes(
  { stdout, ended, note, stop }: RunningProcess,
  longest = LONGEST_LINE,
): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let line = 0;
      stdout.on('data', (bytes: Buffer) => {
        if (!open) return;
        const end = bytes.lastIndexOf(0x0a);
        line = end === -1 ? line + bytes.length : bytes.length - end - 1;
        if (line > longest) {
          open = false;
          note(`a line of output has more than ${longest} bytes\n`);
          void stop();
        }
        if (open) controller.enqueue(new Uint8Array(bytes));
      });
      const close = (): void => {
        if (open) controller.close();
        open = false;
      };
      void ended.then(() => setImmediate(close));
    },
    cancel() {
      open = false;
    },
  });
}
