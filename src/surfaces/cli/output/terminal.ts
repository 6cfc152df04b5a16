import { isatty } from 'node:tty';
import type { Environment } from '../../../platform/home/paths.ts';
import { terminalText } from '../../../platform/text/terminal-text.ts';
import type { Asker } from '../input/asker.ts';
import { guardAsker } from '../input/asker.ts';
import { type Paint, paintFor, renderStyles } from './paint.ts';

/** The destination of text: a stream of this process, or a string in tests. */
export interface Stream {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number;
}

export interface Output extends Stream {
  /** Styles text for this output. */
  readonly paint: Paint;
  /** Data that is written unchanged, such as a document; on a terminal, control characters are still made visible. */
  verbatim(text: string): void;
}

/** Where a command reads and writes. Data goes to `out`, messages about it to `err`. */
export interface Terminal<Out extends Stream = Output> {
  out: Out;
  err: Out;
  /** Null if nobody can be asked. */
  asker: Asker | null;
  /** All of standard input, for `-` as a file name. */
  readInput(): Promise<string>;
}

/**
 * All output passes through here. Only styles set by `paint` reach the terminal; other control characters come from
 * outside and are made visible.
 */
export function guardTerminal({ out, err, asker, readInput }: Terminal<Stream>, env: Environment): Terminal {
  return { out: guard(out, env), err: guard(err, env), asker: asker && guardAsker(asker), readInput };
}

function guard(stream: Stream, env: Environment): Output {
  const write = (text: string): void => stream.write(renderStyles(text, terminalText));
  return {
    write,
    // Made here, because only this copy of the module can render its styles: commands are bundled separately.
    paint: paintFor(stream, env),
    verbatim: (text) => (stream.isTTY ? write(text) : stream.write(text)),
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns;
    },
  };
}

export function processTerminal(env: Environment): Terminal<Stream> {
  const streamOf = (stream: NodeJS.WriteStream): Stream => ({
    write: (text) => void stream.write(text),
    isTTY: Boolean(stream.isTTY),
    get columns() {
      return stream.columns || 80;
    },
  });
  // `process.stdin` would open a stream that most commands never read.
  const interactive = isatty(0) && isatty(2) && !env['CI'];
  return {
    out: streamOf(process.stdout),
    err: streamOf(process.stderr),
    asker: interactive ? lazyAsker : null,
    readInput: async () => {
      process.stdin.setEncoding('utf8');
      let text = '';
      for await (const chunk of process.stdin) text += String(chunk);
      return text;
    },
  };
}

const loadAsker = async (): Promise<Asker> => (await import('../input/terminal-asker.ts')).terminalAsker;

/** Prompts are loaded when the first question is asked. */
const lazyAsker: Asker = {
  ask: async (question) => (await loadAsker()).ask(question),
  text: async (question, options) => (await loadAsker()).text(question, options),
  secret: async (question) => (await loadAsker()).secret(question),
  choose: async (question, choices, signal) => (await loadAsker()).choose(question, choices, signal),
  chooseMany: async (question, choices) => (await loadAsker()).chooseMany(question, choices),
};
