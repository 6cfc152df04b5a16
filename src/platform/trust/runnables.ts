import { resolve } from 'node:path';
import type { Config, ProviderConfig, Script } from '../../contract/config.ts';
import type { Runnable } from '../../contract/workspace.ts';
import { isLoopback, parseBind } from '../config/bind-address.ts';
import { expandPath } from '../config/expand-path.ts';
import { findGitFolders } from '../files/git-folders.ts';
import { hostsIn } from './addresses-in.ts';
import { MANIFESTS } from './content-hash.ts';
import { isInside, realPath } from '../files/real-path.ts';
import { visibleText } from '../text/visible-text.ts';
import { variablesIn } from '../config/variables.ts';

/** A folder or file of Markdown agents that lies outside of the workspace, by its name or through a link. */
export interface OutsidePath {
  /** Its name in the config or the workspace. */
  path: string;
  /** Its real path. */
  target: string;
}

/** A `.env` beside the config, and which of its variables the config uses. */
export interface FilledVariables {
  file: string;
  names: readonly string[];
}

/** Tools beyond the read-only built-ins that an agent of the workspace lists, and those that it publishes. */
export interface ToolGrant {
  agentId: string;
  tools: readonly string[];
  published: readonly { name: string }[];
  /** Which calls need no approval in a run. */
  toolPermission: string;
  toolApprovals: Readonly<Record<string, string>>;
}

export interface NamedRunnable {
  runnable: Runnable;
  /** The complete config entry, which is part of the approval. */
  entry: unknown;
  /** Scripts, whose content is approved together with the code beside them. */
  scripts: string[];
  /** Arguments that may be files it runs. */
  files: string[];
  /** Files and folders whose code, and the code beside and below them, is part of the approval. */
  near: string[];
  /** Files that are part of the approval but not watched: they are checked at start. */
  along: string[];
}

type Kind = Runnable['kind'];

/** Everything in a config that runs or connects. `folder` is a real path. */
export async function findRunnables(
  config: Config,
  folder: string,
  outside: readonly OutsidePath[],
  {
    variables = null,
    grants = [],
  }: { variables?: FilledVariables | null; grants?: readonly ToolGrant[] } = {},
): Promise<NamedRunnable[]> {
  const found: NamedRunnable[] = [];
  const add: Add = (kind, name, detail, entry, { hosts = [], notes = [], ...more } = {}) => {
    const grants = new Set([
      ...grantsOf(entry),
      ...hosts.map((host) => `host ${host}`),
      ...settingsOf(kind, entry),
      ...notes,
    ]);
    const runnable = {
      kind,
      name: visibleText(name),
      detail: visibleText(detail),
      grants: [...grants].map(visibleText),
    };
    found.push({ runnable, entry, scripts: [], files: [], near: [], along: [], ...more });
  };
  const addScripts = (kind: Kind, prefix: string, scripts: Record<string, Script> | undefined) => {
    for (const [name, script] of Object.entries(scripts ?? {})) {
      // A URL in its settings also grants access to its host.
      const more = { scripts: [resolve(folder, script.path)], hosts: hostsIn(script) };
      add(kind, `${prefix}${name}`, script.path, script, more);
    }
  };

  addScripts('script-agent', '', config.agents?.script);
  addScripts('module-agent', '', config.agents?.module);
  addScripts('script-tool', '', config.tools?.script);
  addScripts('connector', 'script.', config.connectors?.script);

  for (const [name, server] of Object.entries(config.tools?.mcp ?? {})) {
    add('upstream', name, detailOf(server), server, filesOf(server, folder));
  }

  for (const [name, agent] of Object.entries(config.tools?.a2a ?? {}))
    add('upstream', `a2a.${name}`, agent.url, agent);

  await addConnectors(config, folder, add);
  const { embedding, db, server, providers, a2a } = config;
  for (const [name, entry] of Object.entries(providers ?? {})) {
    const detail = entry.base_url ?? `the address of ${entry.kind ?? name}`;
    add('provider', name, detail, entry, { notes: priceNotes(entry) });
  }
  if (embedding && (embedding.url !== undefined || !['disabled', undefined].includes(embedding.provider))) {
    // A local model is downloaded by its name, and loaded.
    const model = embedding.provider === 'local' ? ` ${embedding.model ?? 'model'}` : '';
    add('connector', 'embedding', embedding.url ?? `${embedding.provider}${model}`, embedding);
  }
  if (db?.url !== undefined) add('connector', 'db', db.url, db);

  // Tokens protect the hub, but listening beyond loopback still needs the user's approval.
  const host = parseBind(server?.bind ?? '')?.host ?? '127.0.0.1';
  if (!isLoopback(host)) add('server', 'bind', `listens on ${server?.bind}`, server?.bind);
  const hosts = server?.allowed_hosts ?? [];
  if (hosts.length > 0) add('server', 'allowed_hosts', `answers to ${hosts.join(', ')}`, hosts);

  // Callers send their tokens to this address, and the hub calls these hosts of a private network.
  if (a2a) add('server', 'a2a', a2aDetail(a2a), a2a);
  addOwnSections(config, folder, add);

  // Groups are part of what is approved: an entry may name one, which could later mean more.
  const groups = config.tools?.groups ?? {};
  for (const { agentId, ...grant } of grants)
    add(
      'agent-tools',
      agentId,
      grant.tools.join(', ') || 'read-only built-ins',
      { ...grant, groups },
      {
        notes: [...grant.published.map(({ name }) => `publishes ${name}`), ...withoutAsking(grant)],
      },
    );
  for (const { path, target } of outside) add('outside-folder', path, target, target);
  if (variables && found.length > 0) {
    const { file, names } = variables;
    add('variables', '.env', `fills in ${names.join(', ')}`, names, { files: [file] });
  }
  return found;
}

type Add = (
  kind: Kind,
  name: string,
  detail: string,
  entry: unknown,
  more?: Partial<NamedRunnable> & { hosts?: string[]; notes?: string[] },
) => void;

/** Sources that lead out of the workspace. */
async function addConnectors(config: Config, folder: string, add: Add): Promise<void> {
  const leaves = async (path: string) => !isInside(folder, await realPath(expandPath(folder, path)));
  const { filesystem, git, web, s3 } = config.connectors ?? {};
  for (const [name, entry] of Object.entries(filesystem ?? {})) {
    if (entry.follow_symlinks || (await leaves(entry.root)))
      add('connector', `filesystem.${name}`, entry.root, entry);
  }
  for (const [name, entry] of Object.entries(git ?? {})) {
    if (isRemote(entry.url) || (await leaves(entry.url))) {
      add('connector', `git.${name}`, entry.url, entry);
      continue;
    }
    // Its `.git`, objects or refs may be elsewhere. An approval covers their current location.
    const { places = [] } =
      (await findGitFolders(expandPath(folder, entry.url), null).catch(() => null)) ?? {};
    const leadsTo = [...new Set(places)].filter((place) => !isInside(folder, place)).toSorted();
    if (leadsTo.length > 0) {
      add('connector', `git.${name}`, `${entry.url} (reads ${leadsTo.join(', ')})`, { ...entry, leadsTo });
    }
  }
  for (const [name, entry] of Object.entries(web ?? {})) {
    const detail = [entry.url, entry.sitemap, entry.llms_txt, ...(entry.pages ?? [])]
      .filter(Boolean)
      .join(' ');
    add('connector', `web.${name}`, detail, entry);
  }
  for (const [name, entry] of Object.entries(s3 ?? {})) {
    add('connector', `s3.${name}`, `${entry.endpoint_url ?? 's3:/'}/${entry.bucket}`, entry);
  }
}

/** Sections that count only in the user's own config, or in one that is used in its place and needs an approval. */
function addOwnSections({ harness = {}, team, runner, tools }: Config, folder: string, add: Add): void {
  for (const [name, entry] of Object.entries(harness)) {
    const [command, ...args] = entry.command ?? [];
    const { mode, env, read = [], hosts } = entry;
    add('harness', name, entry.command?.join(' ') ?? `the program of ${name}`, entry, {
      ...(command === undefined ? {} : filesOf({ command, args, env }, folder)),
      ...(hosts ? { hosts } : {}),
      notes: [...read.map((file) => `reads ${file}`), ...(mode ? [`mode ${mode}`] : [])],
    });
  }
  if (team) add('server', 'team', settingsIn(team), team);
  const kept = {
    ...pick(runner, ['keep_days', 'keep_mb']),
    ...pick(tools, ['activity_days']),
  };
  if (Object.keys(kept).length > 0) add('server', 'retention', settingsIn(kept), kept);
}

const settingsIn = (section: object): string =>
  Object.entries(section)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join(', ') || 'default settings';

function pick<T extends object>(section: T | undefined, keys: readonly (keyof T & string)[]): object {
  return Object.fromEntries(
    keys.flatMap((key) => (section?.[key] === undefined ? [] : [[key, section[key]]])),
  );
}

type Server = NonNullable<NonNullable<Config['tools']>['mcp']>[string];

const wordsOf = ({ command, args = [] }: Server): string[] =>
  [command, ...args].filter((word) => word !== undefined);

const detailOf = (server: Server): string => server.url ?? wordsOf(server).join(' ');

function filesOf(server: Server, folder: string): Pick<NamedRunnable, 'files' | 'near' | 'along'> {
  if (server.url !== undefined) return { files: [], near: [], along: [] };
  const cwd = resolve(folder, server.cwd ?? '.');
  const words = wordsOf(server);
  const resolved = (words: readonly string[]): string[] =>
    words.filter((word) => word !== '' && word !== '.').map((word) => resolve(cwd, word));
  // `--config=server.js` names a file as much as `server.js` does.
  const named = resolved(words.map((word) => word.replace(/^-[^=]*=/, '')));
  // So does `NODE_OPTIONS="--require ./hook.js"`; other variables may name data files, which may change.
  const inEnv = resolved(Object.values(server.env ?? {}).flatMap((value) => value.split(/[\s=:,;]+/)));
  const runners = words.map((word) => resolve(cwd, 'node_modules/.bin', word));
  return {
    files: [...new Set(named)],
    along: [...runners, ...MANIFESTS.map((name) => resolve(cwd, name))],
    // An explicit folder contains the code, as in `python -m server`.
    near: [...new Set([...named, ...inEnv, ...(cwd === folder ? [] : [cwd])])],
  };
}

/** `https://…`, `git@host:path`: anything but a path on this machine. */
function isRemote(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^[^/\\]+@?[^/\\]*:/.test(url) || url.includes('${');
}

const SHOWN_ELSEWHERE = new Set(['path', 'allow_hosts', 'allow_env']);

/** Further details of an entry: environment, headers, folder and script settings. */
function settingsOf(kind: Kind, entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return [];
  const table = (key: string): [string, unknown][] => {
    const value: unknown = Reflect.get(entry, key);
    return typeof value === 'object' && value !== null ? Object.entries(value) : [];
  };
  const cwd: unknown = Reflect.get(entry, 'cwd');
  const isScript = kind.startsWith('script') || kind.startsWith('module') || 'path' in entry;
  const settings = isScript ? Object.entries(entry).filter(([key]) => !SHOWN_ELSEWHERE.has(key)) : [];
  return [
    ...(typeof cwd === 'string' ? [`cwd ${cwd}`] : []),
    ...(isScript ? [] : table('env').map(([name, value]) => `env ${name}=${String(value)}`)),
    ...(isScript ? [] : table('headers').map(([name, value]) => `header ${name}: ${String(value)}`)),
    ...settings.map(([name, value]) => `setting ${name} = ${JSON.stringify(value)}`),
  ];
}

function a2aDetail({ default: agent, url, provider, push_hosts: hosts }: NonNullable<Config['a2a']>): string {
  const says = [
    url && `gives callers the address ${url}`,
    hosts?.length && `reports tasks to ${hosts.join(', ')}`,
    agent && `lets ${agent} answer for the hub`,
    provider && `names ${provider.name} (${provider.url}) as its provider`,
  ];
  return says.filter(Boolean).join('; ') || 'ends idle contexts';
}

/** Budgets count with these prices. */
function priceNotes({ models = {} }: ProviderConfig): string[] {
  return Object.entries(models)
    .filter(([, { input_price, cached_price, output_price }]) => input_price ?? cached_price ?? output_price)
    .map(([model]) => `sets the price of ${model}`);
}

/** Calls of an agent that are made without asking. */
function withoutAsking({ toolPermission, toolApprovals }: Omit<ToolGrant, 'agentId'>): string[] {
  const allowed = Object.entries(toolApprovals).filter(([, approval]) => approval === 'allow');
  return [
    ...(toolPermission === 'never' ? ['calls all of them without asking'] : []),
    ...allowed.map(([tool]) => `calls ${tool} without asking`),
  ];
}

/** The hosts and variables that an entry grants. */
function grantsOf(entry: unknown): string[] {
  const grants = new Set<string>();
  if (typeof entry === 'object' && entry !== null) {
    for (const [key, label] of [
      ['allow_hosts', 'host'],
      ['allow_env', 'variable'],
    ] as const) {
      const granted: unknown = Reflect.get(entry, key);
      if (Array.isArray(granted)) for (const one of granted) grants.add(`${label} ${one}`);
    }
  }
  for (const name of variablesIn(JSON.stringify(entry))) grants.add(`variable ${name}`);
  return [...grants];
}
