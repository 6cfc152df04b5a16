import { isatty } from 'node:tty';
import type { Environment } from '../../../platform/home/paths.ts';

/** Asks the person at the terminal. Absent when there is none. */
export interface Asker {
  ask(question: string): Promise<string>;
}

export interface Output {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number;
}

/** Where a command reads and writes. Data goes to `out`, everything said about it to `err`. */
export interface Terminal {
  out: Output;
  err: Output;
  asker: Asker | null;
  /** All of standard input, for `-` as a file name. */
  readInput(): Promise<string>;
}

export async function confirm(asker: Asker, question: string, fallback = false): Promise<boolean> {
  const answer = (await asker.ask(`${question} ${fallback ? '[Y/n]' : '[y/N]'} `)).trim().toLowerCase();
  return answer === '' ? fallback : answer === 'y' || answer === 'yes';
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
const codes: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};
export type Paint = (style: Style, text: string) => string;

/** Colour only where a person looks (https://no-color.org). */
export function paintFor(output: Output, env: Environment): Paint {
  const plain = !output.isTTY || Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb';
  return (style, text) => {
    const [on, off] = codes[style];
    return plain || text === '' ? text : `\u001b[${on}m${text}\u001b[${off}m`;
  };
}

/** The terminal of this process. */
export function processTerminal(env: Environment): Terminal {
  const output = (stream: NodeJS.WriteStream): Output => ({
    write: (text) => void stream.write(text),
    isTTY: Boolean(stream.isTTY),
    columns: stream.columns || 80,
  });
  // `process.stdin` would open a stream that most commands never read.
  const interactive = isatty(0) && isatty(2) && !env['CI'];
  return {
    out: output(process.stdout),
    err: output(process.stderr),
    asker: interactive ? { ask: askOnTerminal } : null,
    readInput: async () => {
      process.stdin.setEncoding('utf8');
      let text = '';
      for await (const chunk of process.stdin) text += String(chunk);
      return text;
    },
  };
}

async function askOnTerminal(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-D ends the input without an answer: that is a no, not a wait.
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}
