import { StringDecoder } from 'node:string_decoder';
import type { RunningProcess } from '../../../platform/processes/processes.ts';

const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * Calls `on` with each line of output that is JSON. Others are kept as what the process said. A line that never ends
 * would fill the memory of the hub, so one that is too long ends the process.
 */
export function readLines(child: RunningProcess, on: (value: unknown) => void, longest = LONGEST_LINE): void {
  const decoder = new StringDecoder('utf8');
  const parts: string[] = [];
  let length = 0;
  let isTooLong = false;
  const take = (line: string): void => {
    if (line.trim() === '') return;
    try {
      on(JSON.parse(line));
    } catch {
      child.note(`${line}\n`);
    }
  };
  child.stdout.on('data', (bytes: Buffer) => {
    if (isTooLong) return;
    const [first = '', ...rest] = decoder.write(bytes).split('\n');
    parts.push(first);
    length += first.length;
    for (const next of rest) {
      take(parts.join(''));
      parts.length = 0;
      parts.push(next);
      length = next.length;
    }
    if (length <= longest) return;
    isTooLong = true;
    parts.length = 0;
    child.note(`a line of output has more than ${longest} characters\n`);
    void child.stop();
  });
  void child.ended.then(() => take(parts.join('')));
}
