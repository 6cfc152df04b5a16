import { wrongUsage } from '../output/failure.ts';

/** `name=value`; the value may be empty or contain `=`. */
export function splitPair(text: string, option: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw wrongUsage(`${option} takes NAME=VALUE, not '${text}'`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Several of them, each name once. */
export function readPairs(texts: readonly string[], option: string): Record<string, string> {
  const given = new Map<string, string>();
  for (const text of texts) {
    const [name, value] = splitPair(text, option);
    if (given.has(name)) throw wrongUsage(`${option} ${name} was given twice`);
    given.set(name, value);
  }
  return Object.fromEntries(given);
}
