import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../contract/config.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { type LineOf, locateLines } from './config-lines.ts';
import { isTable, repairConfig, type Table } from './config-repair.ts';
import { type ConfigPlace, noteSections } from './config-sections.ts';
import { diagnose } from './diagnose.ts';
import { loadText } from '../files/text-file.ts';

/** The names of a config file, in order of precedence. */
export const CONFIG_NAMES = ['zoo.toml', 'ctx.toml'] as const;

export interface LoadedConfig {
  file: string | null;
  /** The folder that relative paths refer to. */
  folder: string;
  /** The valid part of the file, without expanded variables. */
  config: Config;
  diagnostics: Diagnostic[];
  /** The file could not be read or parsed. */
  broken: boolean;
  /** Invalid agents of the file, which are not in `config`. */
  failedAgents: string[];
  createdAt: string;
  updatedAt: string;
  lineOf: LineOf;
}

export interface ConfigOptions extends ConfigPlace {
  /** The content, if already read. */
  text?: string;
}

const never = new Date(0).toISOString();

export async function configIn(folder: string): Promise<string | null> {
  for (const name of CONFIG_NAMES) {
    const file = join(folder, name);
    const found = await stat(file).then(
      (info) => info.isFile(),
      () => false,
    );
    if (found) return file;
  }
  return null;
}

/** The nearest config from a folder upwards. */
export async function findConfig(from: string): Promise<string | null> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const file = await configIn(folder);
    if (file !== null || dirname(folder) === folder) return file;
  }
}

/** The config of a folder without a config file. */
export function emptyConfig(folder: string, file: string | null = null): LoadedConfig {
  return {
    file,
    folder,
    config: {},
    diagnostics: [],
    broken: false,
    failedAgents: [],
    createdAt: never,
    updatedAt: never,
    lineOf: () => null,
  };
}

/** Never throws: errors become diagnostics, and the rest of the file is used. */
export async function loadConfig(file: string, options: ConfigOptions = {}): Promise<LoadedConfig> {
  const empty = emptyConfig(dirname(file), file);
  const broken = (diagnostic: Diagnostic) => ({ ...empty, diagnostics: [diagnostic], broken: true });

  const loaded =
    options.text === undefined
      ? await loadText(file)
      : { ok: true as const, text: options.text, createdAt: never, updatedAt: never };
  if (!loaded.ok) {
    const hint = loaded.missing ? 'Create it, or omit --config and ZOO_CONFIG.' : 'The file is ignored.';
    return broken(diagnose('error', 'unreadable', `the config ${loaded.why}`, { file, hint }));
  }
  const { text, createdAt, updatedAt } = loaded;

  const parsed = await parseToml(text.replace(/^\uFEFF/, ''));
  if (!parsed.ok) {
    const hint = 'The file is ignored until this is fixed.';
    return broken(diagnose('error', 'syntax', parsed.why, { file, line: parsed.line, hint }));
  }

  const repaired = repairConfig(parsed.table);
  const noted = noteSections(repaired.config, options);
  const problems = [...repaired.problems, ...noted.problems];
  const lineOf =
    problems.length > 0 || noted.config.agents || noted.config.tools || noted.config.workspace
      ? await locateMoved(text, repaired.moved)
      : empty.lineOf;
  const diagnostics = problems
    .map(({ severity, code, message, hint, agentId, path }) =>
      diagnose(severity, code, message, { file, line: lineOf(path), hint, agentId }),
    )
    .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return {
    ...empty,
    config: noted.config,
    diagnostics,
    failedAgents: repaired.failedAgents,
    createdAt,
    updatedAt,
    lineOf,
  };
}

/** A script written as `[agents.NAME]` was moved, so look up its original place. */
async function locateMoved(text: string, moved: ReadonlySet<string>): Promise<LineOf> {
  const lineOf = await locateLines(text);
  return (path) => {
    const [room, table, name, ...rest] = path;
    const isMoved =
      room === 'agents' && (table === 'script' || table === 'module') && moved.has(String(name));
    return lineOf(isMoved ? ['agents', String(name), ...rest] : path);
  };
}

type Toml = { ok: true; table: Table } | { ok: false; line: number | null; why: string };

async function parseToml(text: string): Promise<Toml> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    const table = plain(parse(text, { unsafeKeyBehaviour: 'throw' }));
    return isTable(table) ? { ok: true, table } : { ok: true, table: {} };
  } catch (error) {
    if (!(error instanceof TomlError))
      return { ok: false, line: null, why: `not valid TOML: ${String(error)}` };
    // Drops the excerpt of the file that follows the message.
    const why = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'is not TOML';
    return { ok: false, line: error.line, why: `not valid TOML: ${why}` };
  }
}

/** Dates become text: no config value is a date. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (!isTable(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
