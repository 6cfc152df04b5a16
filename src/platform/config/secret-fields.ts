import { isSecretKey } from '../text/redact.ts';
import type { Environment } from '../home/paths.ts';
import { fillVariables, isVariableField, variablesIn } from './variables.ts';
import type { KeyPath } from '../../contract/parsing/known-keys.ts';

/** Shorter values occur in any text. A name that says secret lowers the limit. */
const SHORTEST = 8;
const SHORTEST_NAMED = 4;

/** A script's own settings; these are not among them. */
const SCRIPT_KEYS = new Set(['path', 'timeout', 'memory_mb', 'allow_hosts', 'sources']);

/**
 * The values that `${VAR}` gives to secret fields of a config: keys, headers, `env`, script settings, and the
 * passwords and queries of URLs. A value needs 8 characters, or 4 if the name of the field or variable suggests a
 * secret. Paths and plain URLs are not secrets.
 */
export function secretsIn(written: unknown, env: Environment, at: KeyPath = []): string[] {
  const found = new Set<string>();
  const visit = (value: unknown, path: KeyPath): void => {
    if (typeof value === 'string' && isVariableField(path)) {
      for (const secret of secretsOfField(value, path, env)) found.add(secret);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
    }
  };
  visit(written, at);
  return [...found];
}

function secretsOfField(text: string, path: KeyPath, env: Environment): string[] {
  const key = path.map(String).findLast((part) => !/^\d+$/.test(part)) ?? '';
  const variables = variablesIn(text);
  if (variables.length === 0 || (isScript(path) && SCRIPT_KEYS.has(key))) return [];
  const whole = fillVariables(text, env);
  // Only these parts of a URL are secret; host and port are not.
  const ofAddress = URL.canParse(whole) ? secretsOfAddress(new URL(whole), text) : null;
  const isAddress = ofAddress !== null || /^(?:endpoint_)?url$/.test(key);
  const isCommand = path[0] === 'tools' && path[1] === 'mcp' && ['command', 'args', 'cwd'].includes(key);
  const values = variables.flatMap((variable) => {
    const value = (env[variable] ?? '').trim();
    const named = isSecretKey(key) || isSecretKey(variable);
    if (named) return value.length >= SHORTEST_NAMED ? [value] : [];
    if (isAddress || isPlace(value)) return [];
    return value.length >= SHORTEST && (!isCommand || looksSecret(value)) ? [value] : [];
  });
  return [...values, ...(ofAddress ?? [])];
}

const isScript = ([room, table]: KeyPath): boolean =>
  table === 'script' || (room === 'agents' && table === 'module');

/** The password and the values of the query, unless the config itself spells them out. */
function secretsOfAddress({ password, searchParams }: URL, written: string): string[] {
  const parts = [
    ...(password === '' ? [] : [{ value: decoded(password), shortest: SHORTEST_NAMED }]),
    ...[...searchParams].map(([name, value]) => ({
      value,
      shortest: isSecretKey(name) || /^(?:key|code)$/i.test(name) ? SHORTEST_NAMED : SHORTEST,
    })),
  ];
  return parts
    .filter(({ value, shortest }) => value.length >= shortest && !written.includes(value))
    .map(({ value }) => value);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A path, or a URL without credentials or a query. */
const isPlace = (value: string): boolean =>
  /^(?:[/~.]|[A-Za-z]:[\\/])/.test(value) || /^[a-z]+:\/\/[^@?]*$/i.test(value);

/** One word of letters and digits that is long enough for a key. */
const looksSecret = (value: string): boolean =>
  value.length >= 16 && /^[\w.~+/=-]+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);

/** Values of variables that a script may read by name. */
export function secretVariables(names: readonly string[], env: Environment): string[] {
  return names.flatMap((name) => {
    const value = (env[name] ?? '').trim();
    const shortest = isSecretKey(name) ? SHORTEST_NAMED : looksSecret(value) ? SHORTEST : Infinity;
    return value.length >= shortest ? [value] : [];
  });
}
