import { resolve } from 'node:path';
import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import type { Extension } from '../../contract/offers/extension.ts';
import type { Log } from '../../platform/home/log.ts';
import { type Environment, homeFiles, userConfigFolder } from '../../platform/home/paths.ts';
import { createSecretFiles } from '../../platform/home/secret-files.ts';
import { type LocatedWorkspace, locateWorkspace } from '../../platform/home/workspaces.ts';
import type { Resources } from '../../platform/processes/resources.ts';
import type { Database } from '../../platform/store/database.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { type SecretMask, createSecretMask } from '../../platform/text/secret-mask.ts';
import { createAgentIndex } from '../../registry/agent-index.ts';
import { type AgentStore, createAgentStore } from '../../registry/agent-store.ts';
import { completeDefinition } from '../../registry/definition.ts';
import { type Layer, createLayer } from '../../registry/layers/layer.ts';
import type { ScriptEngines } from '../../registry/programs/program.ts';
import { createRegisteredAgents } from '../../registry/programs/registered.ts';
import { firstAgent } from '../../registry/templates.ts';
import { entriesToApprove } from '../../tools/scope/read-only-builtins.ts';
import { type Views, createViews } from '../workspaces/views.ts';
import { type ChangeFeed, createChangeFeed } from './change-feed.ts';
import { maskLog } from './mask-outputs.ts';
import { createScriptEngines } from './script-engines.ts';
import { createVersionCache } from './version-cache.ts';

export interface HubOptions {
  home: string;
  env: Environment;
  /** The caller's folder, or the one that `serve` was started in. */
  folder: string;
  /** A config that is used instead of the workspace's and the user's own. */
  config?: string | undefined;
  trustAll?: boolean | undefined;
  /** Whether this hub serves; only then do `[server]` and `[db]` of its config apply. */
  serving?: boolean | undefined;
  threads?: boolean | undefined;
  watch?: boolean | undefined;
  /** Tools, prompts and resources besides the hub's own. */
  extensions?: readonly Extension[] | undefined;
  /** Receives failures that no caller waits for, and the output of scripts. */
  log?: (Pick<Log, 'error'> & Partial<Log>) | undefined;
}

/** Shared by all wings: the store, its events, the scripting engines, and the files of each workspace. */
export interface Base {
  home: string;
  env: Environment;
  now: () => Date;
  serving: boolean;
  /** Whether sources and files are watched for changes. */
  live: boolean;
  explicitConfig: boolean;
  db: Database;
  feed: ChangeFeed;
  store: AgentStore;
  engines: ScriptEngines;
  registered: ReturnType<typeof createRegisteredAgents>;
  start: LocatedWorkspace;
  /** The layer of the workspace that the hub was started in. */
  startLayer: Layer;
  ownLayer: Layer | null;
  views: Views;
  /** Replaces secrets of configs in everything that leaves the hub. */
  mask: SecretMask;
  /** The log, masked. */
  output: Partial<Log>;
  log(message: string, error: unknown): void;
}

/** Opens the base. Each part is registered with `opened` at once, so that a later failure closes it. */
export async function openBase(options: HubOptions, opened: Resources): Promise<Base> {
  const { home, env, trustAll = false, watch = false, serving = false } = options;
  const explicitConfig = options.config ?? env.ZOO_CONFIG;
  const now = () => new Date();
  const mask = createSecretMask();
  const stored = createSecretFiles(homeFiles(home).secrets);
  const output = maskLog(options.log ?? {}, mask);
  const log = (message: string, error: unknown) => output.error?.(message, { error });

  const { db, feed } = await openStore(home, options.threads ?? false, opened);
  const store = cachedStore(db, now);
  const start = await locateWorkspace(options.folder, explicitConfig ? { explicitConfig } : {});
  const engines = opened.add(createScriptEngines(output), (each) => each.close());
  const registered = createRegisteredAgents();

  const shared = {
    database: db,
    env,
    trustAll,
    watch,
    log,
    engines,
    secrets: mask,
    stored,
    entriesToApprove,
  };
  const ownFiles = { owner: null, folder: userConfigFolder(env), configFile: null, serving: false };
  const ownLayer = explicitConfig
    ? null
    : opened.add(await createLayer({ ...shared, ...ownFiles }), (layer) => layer.close());
  const views = opened.add(
    createViews({
      db,
      store,
      registered: registered.list,
      now,
      start,
      standIn: explicitConfig ? resolve(options.folder) : null,
      ownLayer,
      log,
      createLayer: ({ id, path, configFile }) =>
        createLayer({
          ...shared,
          owner: id,
          folder: path,
          configFile,
          serving: serving && id === start.id,
          standsIn: Boolean(explicitConfig) && id === start.id,
        }),
    }),
    (each) => each.close(),
  );
  const { layer: startLayer } = await views.open(start.id);
  await seedHome(db, store, localContext(start.id));
  return {
    home,
    env,
    now,
    serving,
    live: serving && watch,
    explicitConfig: Boolean(explicitConfig),
    db,
    feed,
    store,
    engines,
    registered,
    start,
    startLayer,
    ownLayer,
    views,
    mask,
    output,
    log,
  };
}

async function openStore(
  home: string,
  threads: boolean,
  opened: Resources,
): Promise<{ db: Database; feed: ChangeFeed }> {
  const db = opened.add(await openSqlite(homeFiles(home).database, { threads }), (each) => each.close());
  const feed = opened.add(createChangeFeed(db), (each) => each.close());
  return { feed, db: nudging(db, () => feed.nudge()) };
}

function cachedStore(db: Database, now: () => Date): AgentStore {
  const uncached = createAgentStore(db, now);
  const cached = createVersionCache<Agent | null>(() => db.version());
  const live = createAgentIndex(db);
  return {
    ...uncached,
    get: (id) => cached(id, () => uncached.get(id)),
    list: (which) => (which.deleted ? uncached.list(which) : live()),
  };
}

/** Wakes followers in this process without waiting for the next poll. */
function nudging(db: Database, nudge: () => void): Database {
  const nudged = async <T>(written: Promise<T>): Promise<T> => {
    const value = await written;
    nudge();
    return value;
  };
  return {
    ...db,
    transaction: (work) => nudged(db.transaction(work)),
    write: (statements) => nudged(db.write(statements)),
  };
}

/** The context of the operator in this process. */
export function localContext(workspace: string, signal?: AbortSignal): CallContext {
  return {
    caller: { kind: 'operator' },
    workspace,
    agent: null,
    surface: 'cli',
    depth: 0,
    budget: {},
    signal: signal ?? new AbortController().signal,
  };
}

/** A new home gets one agent. If the user deletes it, it is not created again. */
async function seedHome(db: Database, store: AgentStore, context: CallContext): Promise<void> {
  if (await db.one("SELECT value FROM settings WHERE key = 'seeded'")) return;
  if (!(await store.knows(firstAgent.id))) {
    const definition = completeDefinition(firstAgent.agent);
    await store.create(definition, context, { exact: firstAgent.id }).catch(async (error: unknown) => {
      // Another process has just created it.
      if (!(await store.knows(firstAgent.id))) throw error;
    });
  }
  await db.transaction((tx) =>
    tx.run("INSERT INTO settings (key, value) VALUES ('seeded', '1') ON CONFLICT (key) DO NOTHING"),
  );
}
