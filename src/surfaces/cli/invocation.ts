import type { Environment } from '../../platform/home/paths.ts';
import type { OtherSurfaces } from './serving/serve-surfaces.ts';
import type { Paint, Terminal } from './output/terminal.ts';
import { paintFor } from './output/terminal.ts';

/** One run of the command line: everything a command may look at. */
export interface Invocation {
  terminal: Terminal;
  env: Environment;
  /** The folder whose workspace the caller sees; absolute. */
  folder: string;
  /** `--config`, or ZOO_CONFIG. */
  config: string | undefined;
  json: boolean;
  paint: Paint;
  surfaces: OtherSurfaces;
}

export function createInvocation(parts: Omit<Invocation, 'paint'>): Invocation {
  return { ...parts, paint: paintFor(parts.terminal.out, parts.env) };
}

/** Prints data: as JSON if that was asked for, else as text for people. */
export function print({ terminal, json }: Invocation, data: unknown, text: () => string): void {
  terminal.out.write(json ? `${JSON.stringify(data, null, 2)}\n` : withNewline(text()));
}

/** Says something about what was done; never part of the data. */
export function say({ terminal }: Invocation, text: string): void {
  terminal.err.write(withNewline(text));
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
