import { open, stat } from 'node:fs/promises';
import type { LogLevel } from '../../../../platform/home/log.ts';
import { homeFiles, zooHome } from '../../../../platform/home/paths.ts';
import { terminalJson } from '../../../../platform/text/terminal-text.ts';
import { Failure } from '../../output/failure.ts';
import type { Invocation } from '../../invocation.ts';
import { renderLogLine } from '../../render/log-line.ts';
import { stopSignals } from '../../serving/stop-signals.ts';

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export interface LogOptions {
  follow?: true;
  lines?: number;
  level?: LogLevel;
}

const tailBytes = 4_000_000;
const pollMs = 250;

export async function showLogs(call: Invocation, options: LogOptions): Promise<void> {
  const file = homeFiles(zooHome(call.env)).log;
  const wanted = (line: string): boolean => line !== '' && isSevere(line, options.level);
  const show = (line: string): void => {
    call.terminal.out.write(`${call.json ? terminalJson(line) : renderLogLine(line, call.paint)}\n`);
  };
  const from = await sizeOf(file);
  if (from === null && !options.follow) {
    throw new Failure('no log yet', { hints: ['`zoo serve` starts the hub, which writes one'] });
  }
  // Right after a rotation, the last lines are in the previous file.
  const older = from !== null && from < tailBytes ? await readTail(`${file}.1`) : '';
  const text = older + (from === null ? '' : await readTail(file));
  for (const line of text
    .split('\n')
    .filter(wanted)
    .slice(-(options.lines ?? 50)))
    show(line);
  if (options.follow) await follow(file, from ?? 0, (line) => wanted(line) && show(line));
}

function isSevere(line: string, least: LogLevel | undefined): boolean {
  if (least === undefined) return true;
  const level = levels.findIndex((one) => line.includes(`"level":"${one}"`));
  return level >= levels.indexOf(least);
}

async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ size }) => size,
    () => null,
  );
}

async function readTail(file: string): Promise<string> {
  const size = await sizeOf(file);
  if (size === null) return '';
  const text = await readFrom(file, Math.max(0, size - tailBytes), size);
  // The first line of a tail is incomplete.
  return size > tailBytes ? text.slice(text.indexOf('\n') + 1) : text;
}

async function readFrom(file: string, from: number, to: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Polls, because file watchers lose track when the log is rotated. */
async function follow(file: string, start: number, show: (line: string) => void): Promise<void> {
  const stop = stopSignals();
  let position = start;
  let rest = '';
  while (!stop.signal.aborted) {
    const size = (await sizeOf(file)) ?? 0;
    if (size < position) {
      const rotated = (await sizeOf(`${file}.1`)) ?? 0;
      if (rotated > position) rest += await readFrom(`${file}.1`, position, rotated);
      position = 0;
    }
    if (size > position) rest += await readFrom(file, position, size);
    position = size;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) show(line);
    await Promise.race([stop.requested, new Promise((resolve) => setTimeout(resolve, pollMs))]);
  }
  stop.dispose();
}
