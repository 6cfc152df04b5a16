import { basename, relative } from 'node:path';
import type { Agent } from '../contract/agent.ts';
import type { CallContext } from '../contract/call.ts';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { ZooError } from '../contract/errors.ts';
import type { ResolvedAgent } from '../contract/resolved.ts';
import type { Database } from '../platform/store/database.ts';
import { nearest } from '../platform/text/nearest.ts';
import { loadTokenCounter } from '../platform/text/token-count.ts';
import type { AgentStore } from '../registry/agent-store.ts';
import type { Memory } from '../registry/memory.ts';
import type { Winner } from '../registry/registry.ts';
import { resolve, type ResolveWith } from '../registry/resolve.ts';
import type { Scope } from '../tools/scope/scope.ts';
import type { Tool, ToolDescriptor, ToolProvider } from '../contract/tool.ts';
import type { Knowledge, KnowledgeScope } from '../knowledge/knowledge.ts';
import { createContextAccess } from './knowledge/context-access.ts';
import { knowledgeScopeOf } from './knowledge/knowledge-scope.ts';
import type { ProgramCalls } from './program-calls.ts';
import { type AgentScopes, createAgentScopes } from './tools/scopes.ts';
import { createScriptHost } from './tools/script-host.ts';
import { diagnoseSources } from './knowledge/source-diagnostics.ts';
import { diagnoseTools } from './tools/tool-diagnostics.ts';
import { createVersionCache } from './version-cache.ts';
import type { View, Views } from './views.ts';
import { createPrices, type Prices } from './tools/prices.ts';
import type { StoredCounts } from '../platform/store/stored-counts.ts';

/** The rooms and the questions that more than one operation asks of them. */
export interface Rooms {
  store: AgentStore;
  memory: Memory;
  knowledge: Knowledge;
  /** What callers of a view may know; with an agent, what that agent may. */
  knowledgeScopeOf(view: View, agent: Pick<Agent, 'sources'> | null): KnowledgeScope;
  /** The same for whoever calls, as the agent that it acts as. */
  knowledgeScopeFor(context: CallContext): Promise<KnowledgeScope>;
  scopes: AgentScopes;
  prices: Prices;
  catalogueOf: AgentScopes['catalogueOf'];
  view(workspace: string): Promise<View>;
  find(id: string, context: CallContext): Promise<Winner>;
  resolve(
    id: string,
    args: Record<string, unknown>,
    context: CallContext,
    onCompiled?: ResolveWith['onCompiled'],
  ): Promise<ResolvedAgent>;
  scopeOf(id: string, context: CallContext): Promise<Scope>;
  /** What the caller may see and call: everything, or what is in the scope of the agent that it acts as. */
  toolsFor(context: CallContext): Promise<readonly ToolDescriptor[]>;
  grantedTools: AgentScopes['grantedTools'];
  /** All that is wrong with the files that the callers of a view see. */
  diagnostics(view: View): Promise<Diagnostic[]>;
  /** Throws `read_only` for an agent in a file, and says how to copy it into the editor. */
  requireEditable(id: string, context: CallContext): Promise<void>;
  /** Throws for a caller that is bound to another agent. */
  refuseOtherAgent(context: CallContext, agentId: string): void;
  expectedRevision(ifMatch: number | undefined, inBody: number | undefined): number | undefined;
  placeOf(agent: Pick<Agent, 'source' | 'origin'>): string;
}

export interface RoomsOptions {
  db: Database;
  store: AgentStore;
  memory: Memory;
  views: Views;
  knowledge: Knowledge;
  /** The hub's own. */
  tools: readonly Tool[];
  programs: ProgramCalls;
  counts: StoredCounts;
  toolProviders: readonly ToolProvider<View>[];
}

export function createRooms(options: RoomsOptions): Rooms {
  const { db, store, memory, views, knowledge, tools, programs, counts, toolProviders } = options;
  const pinned = createVersionCache<Awaited<ReturnType<Memory['pinned']>>>(() => db.version());

  const scopes = createAgentScopes(tools, toolProviders);
  const { catalogueOf, grantedTools } = scopes;
  const prices = createPrices({ counts, scopes, get: (id) => store.get(id) });

  async function find(id: string, context: CallContext): Promise<Winner> {
    const view = await views.open(context.workspace);
    const { registry } = view;
    const found = await registry.find(id);
    if (found) return found;
    const broken = (await view.diagnostics()).find((one) => one.severity === 'error' && isAbout(one, id));
    if (broken) throw notLoaded(id, broken, view.located.path);
    const near = nearest(
      id,
      (await registry.list()).map((agent) => agent.id),
    );
    const deleted = await store.knows(id);
    const hint = deleted
      ? ' It was deleted and can be undeleted.'
      : near === null
        ? ''
        : ` Did you mean '${near}'?`;
    throw new ZooError('agent_not_found', `Agent with ID '${id}' not found.${hint}`, {
      id,
      nearest: near,
      deleted,
    });
  }

  async function scopeOf(id: string, context: CallContext): Promise<Scope> {
    const { agent } = await find(id, context);
    const view = await views.open(context.workspace);
    return scopes.scopeFor(agent, view, await catalogueOf(view));
  }

  return {
    store,
    memory,
    scopes,
    prices,
    knowledge,
    knowledgeScopeOf,
    async knowledgeScopeFor(context) {
      const view = await views.open(context.workspace);
      return knowledgeScopeOf(
        view,
        context.agent === null ? null : (await find(context.agent, context)).agent,
      );
    },
    catalogueOf,
    view: (workspace) => views.open(workspace),
    find,
    grantedTools,

    async resolve(id, args, context, onCompiled) {
      const [{ agent, owner, trusted, program, stale }, view, countTokens] = await Promise.all([
        find(id, context),
        views.open(context.workspace),
        loadTokenCounter(),
      ]);
      if (!trusted) {
        throw new ZooError(
          'untrusted',
          `Agent '${id}' would run code of a workspace that you have not approved. Look at it with 'zoo trust' in ${view.located.path}.`,
          { workspace: view.located.id },
        );
      }
      const catalogue = await catalogueOf(view);
      const shared = {
        expandScope: (of: Agent) => grantedTools(of, view, catalogue),
        memories: (of: Agent) =>
          pinned(`${owner ?? ''} ${of.id}`, () => memory.pinned({ agentId: of.id, owner })),
        countTokens,
        now: () => performance.now(),
        onCompiled,
      };
      const toolTokens = await prices.shown(scopes.scopeFor(agent, view, catalogue).available, view);
      const priced = (fresh: ResolvedAgent): ResolvedAgent => {
        fresh.receipt.toolTokens = toolTokens;
        if (stale !== undefined) fresh.receipt.warnings.unshift(stale);
        return fresh;
      };
      const scope = knowledgeScopeOf(view, agent);
      if (program) {
        const host = createScriptHost(knowledge, scope);
        return priced(await programs.resolve({ agent, program, owner }, args, context, { ...shared, host }));
      }
      const { signal } = context;
      const access = { knowledge, scope, folder: view.located.path, signal };
      return priced(await resolve(agent, args, { ...shared, knowledge: createContextAccess(agent, access) }));
    },

    async diagnostics(view) {
      const crashed = [...view.merged().byId.values()].flatMap(({ program }) =>
        programs.diagnosticsOf(program),
      );
      const ofTools = await Promise.all(
        toolProviders.map(async (one) => (await one.diagnostics?.(view)) ?? []),
      );
      return [
        ...(await view.diagnostics()),
        ...ofTools.flat(),
        ...(await diagnoseTools(view, scopes)),
        ...diagnoseSources(view),
        ...crashed,
      ];
    },

    scopeOf,

    async toolsFor(context) {
      if (context.agent !== null) return (await scopeOf(context.agent, context)).available;
      const view = await views.open(context.workspace);
      return (await catalogueOf(view)).descriptors({ editing: view.editing() });
    },

    async requireEditable(id, context) {
      if (await store.knows(id)) return;
      const { agent } = await find(id, context);
      if (isComputed(agent)) {
        const { source, origin } = agent;
        const message = `Agent '${id}' is computed by ${placeOf(agent)} and is changed there.`;
        throw new ZooError('read_only', message, { id, source, origin });
      }
      throw new ZooError(
        'read_only',
        `Agent '${id}' lives in ${placeOf(agent)} and is changed there. To change it here, copy it into the editor first.`,
        {
          id,
          source: agent.source,
          origin: agent.origin,
          copy: { method: 'POST', path: `/api/agents/${id}/clone`, body: { id } },
        },
      );
    },

    refuseOtherAgent({ caller }, agentId) {
      if (caller.kind !== 'agent' || caller.agentId === agentId) return;
      throw new ZooError(
        'out_of_scope',
        `This token is bound to agent '${caller.agentId}' and opens nothing else.`,
      );
    },

    expectedRevision(ifMatch, inBody) {
      if (ifMatch !== undefined && inBody !== undefined && ifMatch !== inBody) {
        throw new ZooError(
          'invalid_arguments',
          `revision: the body says ${inBody} and If-Match says ${ifMatch}; name one`,
        );
      }
      return ifMatch ?? inBody;
    },

    placeOf,
  };
}

/** A Markdown file that cannot be parsed has no agent id; its name is the best guess. */
const isAbout = ({ agentId, file }: Diagnostic, id: string): boolean =>
  agentId === id || (agentId === null && file !== null && basename(file) === `${id}.md`);

/** The agent exists, but its file cannot be loaded and there is no earlier version to serve. */
function notLoaded(id: string, { file, line, message, hint }: Diagnostic, folder: string): ZooError {
  const place = file === null ? '' : `${relative(folder, file)}${line === null ? '' : `:${line}`}: `;
  const details = { id, file, line, hint };
  return new ZooError('agent_not_found', `Agent '${id}' cannot be loaded. ${place}${message}`, details);
}

function placeOf({ source, origin }: Pick<Agent, 'source' | 'origin'>): string {
  if (!origin) return `the ${source}`;
  return `${source} (${origin.path}${origin.line === undefined ? '' : `:${origin.line}`})`;
}

/** Whether an agent's prompt is made when it is asked for, so that its definition says little. */
export const isComputed = ({ source }: Pick<Agent, 'source'>): boolean =>
  source === 'lua' || source === 'typescript';
