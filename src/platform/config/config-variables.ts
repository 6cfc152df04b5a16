import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { loadText } from '../files/text-file.ts';
import type { Environment } from '../home/paths.ts';
import type { SecretFiles } from '../home/secret-files.ts';

/** Values for `${VAR}` in one config; the first source that has one wins. */
export interface VariableSources {
  env: Environment;
  /** `.env` beside the config. Its values must not be used before the workspace is trusted. */
  file: EnvFile | null;
  /** Kept by `zoo secret set`. */
  stored: Pick<SecretFiles, 'read'> | null;
}

export interface EnvFile {
  path: string;
  values: Environment;
}

/** Null if there is none, or it cannot be read. */
export async function loadEnvFile(configFile: string | null): Promise<EnvFile | null> {
  if (configFile === null) return null;
  const path = join(dirname(configFile), '.env');
  const loaded = await loadText(path);
  return loaded.ok ? { path, values: parseEnv(loaded.text) } : null;
}

/**
 * Only the named variables: nothing else of a `.env` or the store reaches a config, and nothing reaches the hub's
 * environment.
 */
export async function collectVariables(
  names: readonly string[],
  { env, file, stored }: VariableSources,
): Promise<Environment> {
  const found = new Map<string, string>();
  for (const name of names) {
    const value = env[name] ?? file?.values[name] ?? (await stored?.read(name));
    if (value !== undefined && value !== null) found.set(name, value);
  }
  return Object.fromEntries(found);
}
