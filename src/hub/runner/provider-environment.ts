import { existsSync } from 'node:fs';
import { createSecretFiles } from '../../platform/home/secret-files.ts';
import { type Environment, homeFiles } from '../../platform/home/paths.ts';
import type { SecretMask } from '../../platform/text/secret-mask.ts';
import { keyVariables } from '../../runner/models/configured-providers.ts';

interface Parts {
  home: string;
  env: Environment;
  mask: SecretMask;
}

/** The environment of the hub, completed with API keys of `zoo secret set`. Read on every call. */
export function providerEnvironment({ home, env, mask }: Parts): () => Promise<Environment> {
  const folder = homeFiles(home).secrets;
  const stored = createSecretFiles(folder);
  return async () => {
    // Checked in this thread: a run starts with this, and most homes have no such folder.
    const names = existsSync(folder) ? await stored.list() : [];
    const missing = keyVariables.filter((name) => !env[name] && names.includes(name));
    const values = await Promise.all(missing.map(async (name) => [name, await stored.read(name)] as const));
    const found = values.filter((entry): entry is [string, string] => entry[1] !== null);
    mask.learn(found.map(([, value]) => value));
    return found.length === 0 ? env : { ...env, ...Object.fromEntries(found) };
  };
}
