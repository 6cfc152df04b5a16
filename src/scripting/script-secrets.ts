import type { Script } from '../contract/config.ts';
import type { Environment } from '../platform/home/paths.ts';
import { isSecretKey } from '../platform/text/redact.ts';
import { variablesIn } from '../platform/config/variables.ts';
import { mapTexts } from './json.ts';
import type { Json } from './sandbox.ts';

/** What the environment gave to a script by `${VAR}`. */
export interface ScriptSecrets {
  /** Every value: none of them is logged. */
  all: string[];
  /** Those that are secrets by their name or their looks: none of them is handed out either. */
  kept: string[];
}

/** Shorter ones are found in any text, and blotting them out would leave holes everywhere. */
const SHORTEST = 6;

export function secretsOf(written: Script, env: Environment): ScriptSecrets {
  const all = new Set<string>();
  const kept = new Set<string>();
  const visit = (key: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) visit(Array.isArray(value) ? key : name, item);
      return;
    }
    if (typeof value !== 'string') return;
    for (const variable of variablesIn(value)) {
      const secret = env[variable] ?? '';
      if (secret.length < SHORTEST) continue;
      all.add(secret);
      if (isSecretKey(key) || isSecretKey(variable) || looksSecret(secret)) kept.add(secret);
    }
  };
  visit('', written);
  return { all: longestFirst(all), kept: longestFirst(kept) };
}

/** One word of some length with letters and digits, which is no address. */
const looksSecret = (value: string): boolean =>
  value.length >= 16 &&
  /^[\w.~+/=-]+$/.test(value) &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  !value.startsWith('/');

/** A secret that contains another one is blotted out whole. */
const longestFirst = (values: ReadonlySet<string>): string[] =>
  [...values].toSorted((a, b) => b.length - a.length);

export function maskText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
}

/** The same in every text of a value. */
export function maskJson(value: Json, secrets: readonly string[]): Json {
  return secrets.length === 0 ? value : mapTexts(value, (text) => maskText(text, secrets));
}
