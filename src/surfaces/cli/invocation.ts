import type { Environment } from '../../platform/home/paths.ts';
import { terminalJson } from '../../platform/text/terminal-text.ts';
import type { OtherSurfaces } from './serving/serve-surfaces.ts';
import type { Paint } from './output/paint.ts';
import type { Output, Terminal } from './output/terminal.ts';
import { wrapMessage } from './output/wrap-message.ts';

/** How results are laid out. */
export interface View {
  paint: Paint;
  /** The width to fit into; Infinity in a pipe. */
  columns: number;
  /** Paths below it are shown relative to it. */
  folder: string;
}

/** One run of the command line: everything a command may use. */
export interface Invocation extends View {
  terminal: Terminal;
  env: Environment;
  /** The folder whose workspace the caller sees; absolute. */
  folder: string;
  /** `--config`, or ZOO_CONFIG. */
  config: string | undefined;
  json: boolean;
  surfaces: OtherSurfaces;
}

export function createInvocation(parts: Omit<Invocation, 'paint' | 'columns'>): Invocation {
  return { ...parts, ...viewOn(parts.terminal.out, parts.folder) };
}

/** For what is printed to standard error. */
export function errorView({ terminal, folder }: Pick<Invocation, 'terminal' | 'folder'>): View {
  return viewOn(terminal.err, folder);
}

function viewOn({ paint, isTTY, columns }: Output, folder: string): View {
  return { paint, columns: isTTY ? columns : Infinity, folder };
}

/** Prints data as JSON with `--json`, else as text for people. */
export function print({ terminal, json }: Invocation, data: unknown, text: () => string): void {
  terminal.out.write(json ? `${terminalJson(JSON.stringify(data, null, 2))}\n` : withNewline(text()));
}

/** One object per line, for streaming output. */
export function printLine({ terminal, json }: Invocation, data: unknown, text: () => string): void {
  terminal.out.write(json ? `${terminalJson(JSON.stringify(data))}\n` : withNewline(text()));
}

/** Prints a message to standard error; at a terminal, long lines are wrapped at words. */
export function say({ terminal: { err } }: Pick<Invocation, 'terminal'>, text: string): void {
  err.write(withNewline(err.isTTY ? wrapMessage(text, err.columns) : text));
}

export function warn(call: Pick<Invocation, 'terminal'>, text: string): void {
  say(call, `${call.terminal.err.paint('warning', 'warning')}: ${text}`);
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
