import { resolve as resolvePath } from 'node:path';
import type { Implementation } from '../contract/api.ts';
import type { Agent, AgentSummary } from '../contract/agent.ts';
import type { CallContext } from '../contract/call.ts';
import { ZooError } from '../contract/errors.ts';
import type { Extension } from '../contract/offers/extension.ts';
import type { Tool } from '../contract/tool.ts';
import { createLoginCodes, ensureOperatorToken } from '../platform/home/access.ts';
import type { Database, Transaction } from '../platform/store/database.ts';
import { isLoopback, parseBind } from '../platform/config/bind-address.ts';
import { hubProof, randomHex } from '../platform/home/hub-proof.ts';
import { createSecretFiles } from '../platform/home/secret-files.ts';
import { createSecretMask } from '../platform/text/secret-mask.ts';
import { openSqlite } from '../platform/store/databases/index.ts';
import { forgetOldEvents, recordEvent } from '../platform/store/events.ts';
import type { Log } from '../platform/home/log.ts';
import { forgetOldKeys } from '../platform/store/once.ts';
import { createStoredCounts, forgetOldCounts } from '../platform/store/stored-counts.ts';
import { type Environment, homeFiles, userConfigFolder } from '../platform/home/paths.ts';
import { isTrusted } from '../platform/trust/trust.ts';
import { VERSION } from '../platform/home/version.ts';
import { locateWorkspace } from '../platform/home/workspaces.ts';
import { type AgentStore, createAgentStore } from '../registry/agent-store.ts';
import { createLayer, type Layer } from '../registry/layers/layer.ts';
import { createMemory } from '../registry/memory.ts';
import { createRegisteredAgents } from '../registry/programs/registered.ts';
import { createActivity } from '../tools/activity/activity.ts';
import { builtinTools } from './tools/builtin-tools.ts';
import { authenticate } from './authenticate.ts';
import { type ChangeFeed, createChangeFeed } from './change-feed.ts';
import { seedHome } from './first-start.ts';
import type { Hub } from './hub.ts';
import { implementActivity } from './operations/activity.ts';
import { implementAgents } from './operations/agents.ts';
import { implementBrain } from './operations/brain.ts';
import { currentAgent, implementHub } from './operations/hub.ts';
import { createConnectorScripts } from './knowledge/connector-scripts.ts';
import { createOffers } from './offers/offers.ts';
import { createKnowledgeRoom } from './knowledge/knowledge-room.ts';
import { implementKnowledge } from './operations/knowledge.ts';
import { implementParts } from './operations/parts.ts';
import { implementPrompts } from './operations/prompts.ts';
import { implementScope } from './operations/scope.ts';
import { implementTools } from './operations/tools.ts';
import { EDITED_RESULTS, maskLog, maskOffers, maskOutputs } from './mask-outputs.ts';
import { createProgramCalls } from './program-calls.ts';
import { implementUpstreams } from './operations/upstreams.ts';
import { createRooms, type Rooms } from './rooms.ts';
import { createScriptEngines } from './script-engines.ts';
import { createScriptHost } from './tools/script-host.ts';
import { createScriptTools } from './tools/script-tools.ts';
import { createUpstreamRooms } from './upstreams/upstream-rooms.ts';
import { createToolCalls } from './tools/tool-calls.ts';
import { createVersionCache } from './version-cache.ts';
import { createViews } from './views.ts';

const ACTIVITY_DAYS = 30;

export interface HubOptions {
  home: string;
  env: Environment;
  /** The folder of the caller, or the one `serve` was started in. */
  folder: string;
  /** A config that stands in for the workspace's and the user's own. */
  config?: string | undefined;
  trustAll?: boolean | undefined;
  /** Whether this hub serves: `[server]` and `[db]` of its config then count. */
  serving?: boolean | undefined;
  threads?: boolean | undefined;
  watch?: boolean | undefined;
  /** Tools, prompts and resources besides the hub's own. */
  extensions?: readonly Extension[] | undefined;
  /** For what nobody waits for: a reload that failed, what a script says. */
  log?: (Pick<Log, 'error'> & Partial<Log>) | undefined;
}

/** The house, wired. The caller closes it. */
export async function createHub(options: HubOptions): Promise<Hub> {
  const now = () => new Date();
  const raw = await openSqlite(homeFiles(options.home).database, { threads: options.threads ?? false });
  const feed = createChangeFeed(raw);
  const db = nudging(raw, () => feed.nudge());
  try {
    return await wire(options, db, feed, now);
  } catch (error) {
    feed.close();
    await db.close();
    throw error;
  }
}

async function wire(options: HubOptions, db: Database, feed: ChangeFeed, now: () => Date): Promise<Hub> {
  const { home, env, trustAll = false, watch = false, serving = false, extensions = [] } = options;
  const explicitConfig = options.config ?? env.ZOO_CONFIG;
  const startedAt = now().toISOString();
  const uncached = createAgentStore(db, now);
  const cached = createVersionCache<Agent | null>(() => db.version());
  const lists = createVersionCache<AgentSummary[]>(() => db.version());
  const store: AgentStore = {
    ...uncached,
    get: (id) => cached(id, () => uncached.get(id)),
    list: (which) => lists(String(which.deleted), () => uncached.list(which)),
  };
  const memory = createMemory(db, now);

  const start = await locateWorkspace(options.folder, explicitConfig ? { explicitConfig } : {});
  const mask = createSecretMask();
  const stored = createSecretFiles(homeFiles(home).secrets);
  const hubLog = maskLog(options.log ?? {}, mask);
  const log = (message: string, error: unknown) => hubLog.error?.(message, { error });
  const engines = createScriptEngines(hubLog);
  const layerOptions = { database: db, env, trustAll, watch, log, engines, secrets: mask, stored };
  const ownFolder = userConfigFolder(env);
  const ownLayer = explicitConfig
    ? null
    : await createLayer({
        ...layerOptions,
        owner: null,
        folder: ownFolder,
        configFile: null,
        serving: false,
      });
  const { knowledge, ...room } = createKnowledgeRoom({
    home,
    db,
    now,
    runScript: createConnectorScripts(engines.scripts, env),
    live: serving && watch,
    explicitConfig: Boolean(explicitConfig),
    log,
  });
  const registered = createRegisteredAgents();
  const views = await createViews({
    db,
    store,
    registered: registered.list,
    now,
    start,
    standIn: explicitConfig ? resolvePath(options.folder) : null,
    ownLayer,
    createLayer: (located) =>
      createLayer({
        ...layerOptions,
        owner: located.id,
        folder: located.path,
        configFile: located.configFile,
        serving: serving && located.id === start.id,
      }),
    onOpen: room.follow,
  });

  const upstream = createUpstreamRooms({
    home,
    db,
    env,
    discover: serving,
    log,
    warn: (message, fields) => hubLog.warn?.(message, fields),
  });
  const counts = createStoredCounts(db, now);
  const scriptTools = createScriptTools({
    env,
    sandbox: engines.scripts,
    host: async ({ context }) => createScriptHost(knowledge, await rooms.knowledgeScopeFor(context)),
  });
  const rooms: Rooms = createRooms({
    db,
    store,
    memory,
    views,
    knowledge,
    programs: createProgramCalls(hubLog),
    counts,
    tools: [
      ...builtinTools(
        () => operations,
        (...asked) => rooms.resolve(...asked),
      ),
      ...extensions.flatMap(({ tools }) => tools ?? []),
    ],
    toolProviders: [
      scriptTools,
      upstream.tools,
      { tools: async () => NO_TOOLS, diagnostics: async () => activity.diagnostics() },
    ],
  });
  const startLayer = (await views.open(start.id)).layer;
  const activity = createActivity({
    db,
    now,
    days: () => activityDays([startLayer, ...(ownLayer ? [ownLayer] : [])]),
    prunes: serving,
    secretsOf: async () => mask.values(),
    log,
  });
  const calls = createToolCalls(rooms, activity);
  const offers = createOffers(rooms, calls, (context) => currentAgent(db, context), [
    upstream.offers(rooms),
    ...extensions,
  ]);

  let operatorToken: string | undefined;
  const token = () => (operatorToken ??= ensureOperatorToken(home).token);
  let url: string | null = null;
  let hubSecret: string | undefined;
  const secret = () => (hubSecret ??= randomHex());
  let requestStop: () => void = () => undefined;
  const stopRequested = new Promise<void>((resolve) => {
    requestStop = resolve;
  });

  await seedHome(db, store, localContext(start.id));
  if (serving) await db.transaction((tx) => forgetOld(tx, now()));

  function localContext(workspace: string, signal?: AbortSignal): CallContext {
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

  const operations: Implementation = {
    ...implementHub({
      db,
      rooms,
      views,
      feed,
      logins: createLoginCodes(),
      operatorToken: token,
      now,
      home,
      version: VERSION,
      startedAt,
      url: () => url,
      prove: (challenge) => (url === null ? null : hubProof(secret(), url, challenge)),
      stop: requestStop,
    }),
    ...implementAgents(rooms),
    ...implementParts(rooms),
    ...implementBrain(rooms),
    ...implementTools(rooms, offers),
    ...implementScope(rooms),
    ...implementActivity(activity),
    ...implementPrompts(offers),
    ...implementUpstreams(rooms, upstream),
    ...implementKnowledge(rooms, room.work),
    openapi: onlyOverHttp,
    home: onlyOverHttp,
  };

  return {
    operations: maskOutputs(operations, mask, EDITED_RESULTS),
    offers: maskOffers(offers, mask),
    authenticate: (credentials) => authenticate(db, token(), credentials, now()),
    workspaceFor: (named) => views.identify(named),
    localContext,
    clientGone: (client) => upstream.upstreams.clientGone(client),
    serverSettings() {
      const { config, trust } = startLayer.current();
      const { bind, allowed_hosts: hosts = [] } = config.config.server ?? {};
      const trusted = isTrusted(trust.state);
      const here = isLoopback(parseBind(bind ?? '')?.host ?? '127.0.0.1');
      return { bind: trusted || here ? (bind ?? null) : null, allowedHosts: trusted ? hosts : [] };
    },
    announce(at) {
      url = at;
      return secret();
    },
    stopRequested,
    use: room.work.use,
    async register(agent) {
      const agentId = registered.register(agent, now());
      const event = {
        type: 'agent-created',
        workspace: null,
        agentId,
        data: { source: 'typescript' },
      } as const;
      await db.transaction((tx) => recordEvent(tx, event, now().toISOString()));
    },
    async close() {
      feed.close();
      await room.close();
      await upstream.upstreams.close();
      await engines.close();
      await activity.close();
      await counts.close();
      await views.close();
      await db.close();
    },
  };
}

const NO_TOOLS: readonly Tool[] = [];

/** The hub's own setting, so it counts where the hub was started, or for the user everywhere. */
function activityDays(layers: readonly Layer[]): number {
  const said = layers.map((layer) => layer.current().config.config.tools?.activity_days);
  return said.find((days) => days !== undefined) ?? ACTIVITY_DAYS;
}

async function forgetOld(tx: Transaction, now: Date): Promise<void> {
  await forgetOldEvents(tx);
  await forgetOldKeys(tx, now);
  await forgetOldCounts(tx, now);
}

/** Followers of the feed in this process need not wait for the next poll. */
function nudging(db: Database, nudge: () => void): Database {
  return {
    ...db,
    async transaction(work) {
      const value = await db.transaction(work);
      nudge();
      return value;
    },
  };
}

function onlyOverHttp(): Promise<never> {
  return Promise.reject(new ZooError('route_not_found', 'This is there over HTTP only.'));
}
