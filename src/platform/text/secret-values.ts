import type { Config } from '../../contract/config.ts';
import type { Environment } from '../home/paths.ts';
import { variablesIn } from '../config/variables.ts';

/** Shorter values, such as a port, occur everywhere. */
const SHORTEST = 8;

/** The values of the variables that a config refers to, as far as they may be secrets: not folders or plain addresses. */
export function secretValues(config: Config, env: Environment): string[] {
  const values = new Set(variablesIn(JSON.stringify(config)).map((name) => env[name] ?? ''));
  return [...values].filter((value) => value.length >= SHORTEST && !isPlace(value));
}

function isPlace(value: string): boolean {
  if (/^(?:[/~.]|[A-Za-z]:[\\/])/.test(value)) return true;
  return /^[a-z]+:\/\/[^@?]*$/i.test(value);
}
