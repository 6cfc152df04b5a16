import { basename, dirname, resolve } from 'node:path';
import type { Script } from '../contract/config.ts';
import { ZooError } from '../contract/errors.ts';
import { hostsIn } from '../platform/trust/addresses-in.ts';
import type { Environment } from '../platform/home/paths.ts';
import { toJson, toJsonTable } from './json.ts';
import { DEFAULT_LIMITS, type Json, type ScriptFile, type ScriptKind, type ScriptResult } from './sandbox.ts';
import { secretsIn, secretVariables } from '../platform/config/secret-fields.ts';
import { createSecretMask, type SecretMask } from '../platform/text/secret-mask.ts';

/** A script from a config: what to run, its settings, and its secrets. */
export interface ScriptEntry {
  file: ScriptFile;
  /** The keys that are the script's own. */
  settings: Json;
  /** Masks values from `${VAR}` and `allow_env`. */
  secrets: SecretMask;
}

export interface EntryPlace {
  kind: ScriptKind;
  /** The base of relative paths. */
  folder: string;
  /** The real path of the trusted folder. */
  root: string;
  /** The files that it may load; undefined if no approval is needed. */
  approved?: ScriptFile['approved'];
  env: Environment;
  /** Values for `${VAR}`. */
  variables: Environment;
  /** Defaults for the entry. */
  memoryMb?: number;
}

const ROOMS = { agent: 'agents', tool: 'tools', connector: 'connectors' } as const;
const MB = 1024 * 1024;
const OURS = new Set(['path', 'timeout', 'memory_mb', 'allow_hosts', 'allow_env']);

/** `written` has the variables by name, `entry` their values. */
export function readScriptEntry(written: Script, entry: Script, place: EntryPlace): ScriptEntry {
  const { path, timeout, memory_mb = place.memoryMb, allow_hosts = [], allow_env = [] } = entry;
  const secrets = createSecretMask([
    ...secretsIn(written, place.variables, [ROOMS[place.kind], 'script', '']),
    ...secretVariables(allow_env, place.env),
  ]);
  const settings = toJson(Object.fromEntries(Object.entries(entry).filter(([key]) => !OURS.has(key))));
  const granted = allow_env.flatMap((name) => {
    const value = place.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    file: {
      kind: place.kind,
      path: resolve(place.folder, path),
      root: place.root,
      approved: place.approved,
      limits: {
        ...DEFAULT_LIMITS,
        ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
        ...(memory_mb === undefined ? {} : { memoryBytes: memory_mb * MB }),
      },
      grants: {
        hosts: [...allow_hosts, ...hostsIn(settings)],
        env: Object.fromEntries(granted),
        secrets: secrets.values(),
      },
    },
    settings,
    secrets,
  };
}

/** Runs the work with secrets masked in its result, log and error. */
export async function withoutSecrets(
  { secrets }: Pick<ScriptEntry, 'secrets'>,
  work: () => Promise<ScriptResult>,
): Promise<ScriptResult> {
  try {
    const result = await work();
    return { ...result, value: secrets.value(result.value), logs: secrets.value(result.logs) };
  } catch (error) {
    throw error instanceof ZooError ? maskError(error, secrets) : error;
  }
}

/** File, line and message of a failure, without the place at the start of the message. */
export function failureIn(
  script: string,
  { message, details = {} }: ZooError,
): { file: string; line: number | null; message: string } {
  const file = typeof details.file === 'string' ? resolve(dirname(script), details.file) : script;
  const line = typeof details.line === 'number' ? details.line : null;
  const name = basename(file);
  const end = message.indexOf(line === null ? `${name}: ` : `${name}:${line}: `);
  const place = end + name.length + (line === null ? 2 : `:${line}: `.length);
  const isPrefix = end >= 0 && !/[\s:]/.test(message.slice(0, end));
  return { file, line, message: isPrefix ? message.slice(place) : message };
}

/** Any thrown value as a `ZooError` without secrets. */
export function maskError(error: unknown, secrets: SecretMask): ZooError {
  if (!(error instanceof ZooError)) return new ZooError('agent_error', secrets.text(String(error)));
  const details = error.details && secrets.value(toJsonTable(error.details));
  return new ZooError(error.code, secrets.text(error.message), details);
}
