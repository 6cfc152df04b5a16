import { wrongUsage } from './failure.ts';

/** `name=value`; the value may hold anything, `=` and nothing included. */
export function splitPair(text: string, option: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw wrongUsage(`${option} takes NAME=VALUE, not '${text}'`);
  return [text.slice(0, at), text.slice(at + 1)];
}
