import { SERVE_ONLY_SECTIONS, type Config } from '../../contract/config.ts';
import { renderPath, valueAt } from '../../contract/parsing/issue-words.ts';
import type { Problem } from './config-repair.ts';

/** The role of a config: some sections apply in one of them only. */
export interface ConfigPlace {
  /** Whether it is the config that the hub was started with. */
  serving?: boolean;
  /** Whether it is the user's own, rather than that of a project; true by default. */
  own?: boolean | undefined;
}

/** Sections without effect yet. Delete a line when its feature is implemented. */
const NOT_AVAILABLE: readonly { path: readonly string[]; what: string }[] = [
  { path: ['connectors', 's3'], what: 'Sources in buckets are' },
  { path: ['db', 'url'], what: 'Postgres is' },
];

/** Notes on valid sections that have no effect. */
export function noteSections(
  config: Config,
  { serving = false, own = true }: ConfigPlace,
): { config: Config; problems: Problem[] } {
  const problems = NOT_AVAILABLE.flatMap(({ path, what }) => unavailable(config, path, what));
  const kept: Config = { ...config };

  if (config.db?.path !== undefined) {
    const { path: _path, ...db } = config.db;
    kept.db = db;
    problems.push({
      severity: 'note',
      code: 'ignored-section',
      path: ['db', 'path'],
      message: 'db.path is ignored: everything the hub writes is under ZOO_HOME',
      hint: 'Set ZOO_HOME to keep it elsewhere.',
      agentId: null,
    });
  }
  const { git } = config.connectors ?? {};
  for (const [name, { cache_dir: ignored, ...source }] of Object.entries(git ?? {})) {
    if (ignored === undefined) continue;
    kept.connectors = { ...kept.connectors, git: { ...kept.connectors?.git, [name]: source } };
    problems.push({
      severity: 'note',
      code: 'ignored-section',
      path: ['connectors', 'git', name, 'cache_dir'],
      message: `cache_dir of git source '${name}' is ignored: clones are kept in ZOO_HOME`,
      hint: 'Remove it. A clone that an older version left there can be deleted.',
      agentId: null,
    });
  }
  if (!own) {
    problems.push(...OWN_ONLY.flatMap((path) => ownOnly(config, path)));
    for (const path of OWN_ONLY) drop(kept, path);
  }
  if (serving) return { config: kept, problems };

  for (const section of own ? SERVE_ONLY_SECTIONS : [...SERVE_ONLY_SECTIONS, 'a2a' as const]) {
    const value = kept[section];
    delete kept[section];
    if (value === undefined || (section === 'db' && Object.keys(value).length === 0)) continue;
    problems.push({
      severity: 'note',
      code: 'misplaced-section',
      path: [section],
      message: `[${section}] applies only in the config that \`zoo serve\` is started with`,
      hint: 'It applies to a hub that is started in this folder; the running hub ignores it.',
      agentId: null,
    });
  }
  return { config: kept, problems };
}

/**
 * Team members run with the user's rights, and what is removed is removed for all workspaces, so a project must not
 * configure these.
 */
const OWN_ONLY: readonly (readonly string[])[] = [
  ['team'],
  ['harness'],
  ['runner', 'keep_days'],
  ['runner', 'keep_mb'],
  ['tools', 'activity_days'],
];

/** Removes a section or a key of one. `config` is a copy, but its sections are not. */
function drop(config: Config, [section = '', key]: readonly string[]): void {
  const table: unknown = Reflect.get(config, section);
  if (typeof table !== 'object' || table === null) return;
  const rest = Object.entries(table).filter(([name]) => name !== key);
  if (key === undefined) Reflect.deleteProperty(config, section);
  else Reflect.set(config, section, Object.fromEntries(rest));
}

function ownOnly(config: Config, path: readonly string[]): Problem[] {
  if (valueAt(config, path) === undefined) return [];
  const what = path.length === 1 ? `[${path[0]}]` : renderPath(path);
  return [
    {
      severity: 'note',
      code: 'misplaced-section',
      path,
      message: `${what} applies only in your own config, and is ignored here`,
      hint: 'Move it to your own zoo.toml: docs/config.md says where that is.',
      agentId: null,
    },
  ];
}

function unavailable(config: Config, path: readonly string[], what: string): Problem[] {
  if (valueAt(config, path) === undefined) return [];
  return [
    {
      severity: 'note',
      code: 'not-available',
      path,
      message: `${renderPath(path)} has no effect yet. ${what} not part of this version.`,
      hint: 'You can keep it for a later version.',
      agentId: null,
    },
  ];
}
