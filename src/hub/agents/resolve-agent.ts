import type { Agent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ResolvedAgent } from '../../contract/resolved.ts';
import type { Database } from '../../platform/store/database.ts';
import { loadTokenCounter } from '../../platform/text/token-count.ts';
import type { Memory } from '../../registry/memory.ts';
import { resolve, type ResolveWith } from '../../registry/resolve.ts';
import type { Catalogue } from '../../tools/catalogue/catalogue.ts';
import { createVersionCache } from '../base/version-cache.ts';
import { createContextAccess } from '../../knowledge/context/context-access.ts';
import { type KnowledgeAccess, knowledgeScopeOf } from '../knowledge/knowledge-scope.ts';
import { createScriptHost } from '../knowledge/script-host.ts';
import type { Prices } from '../tools/prices.ts';
import type { AgentScopes } from '../tools/scopes.ts';
import type { View } from '../workspaces/view.ts';
import type { AgentDirectory } from './agent-directory.ts';
import type { ProgramCalls } from './program-calls.ts';

/** Resolves an agent; the single implementation for every surface. */
export type ResolveAgent = (
  id: string,
  args: Record<string, unknown>,
  context: CallContext,
  onCompiled?: ResolveWith['onCompiled'],
) => Promise<ResolvedAgent>;

export interface ResolveAgentParts {
  db: Database;
  directory: AgentDirectory;
  memory: Memory;
  knowledge: KnowledgeAccess['knowledge'];
  programs: ProgramCalls;
  scopes: AgentScopes;
  prices: Prices;
}

export function createResolveAgent(parts: ResolveAgentParts): ResolveAgent {
  const { db, directory, memory, knowledge, programs, scopes, prices } = parts;
  const pinned = createVersionCache<Awaited<ReturnType<Memory['pinned']>>>(() => db.version());

  return async (id, args, context, onCompiled) => {
    const [{ agent, owner, trusted, program, stale }, view, countTokens] = await Promise.all([
      directory.find(id, context),
      directory.view(context.workspace),
      loadTokenCounter(),
    ]);
    if (!trusted) {
      throw new ZooError(
        'untrusted',
        `Agent '${id}' would run code of a workspace that you have not approved. Review it with 'zoo trust' in ${view.located.path}.`,
        { workspace: view.located.id },
      );
    }
    const catalogue = await catalogueFor(agent, view, scopes);
    const shared = {
      expandScope: (of: Agent) => scopes.grantedTools(of, view, catalogue),
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
      const host = createScriptHost(knowledge, scope, agent.source === 'lua' ? 'fails' : 'is empty');
      return priced(await programs.resolve({ agent, program, owner }, args, context, { ...shared, host }));
    }
    const { signal } = context;
    const access = { knowledge, scope, folder: view.located.path, signal };
    return priced(await resolve(agent, args, { ...shared, knowledge: createContextAccess(agent, access) }));
  };
}

/** Waits briefly for servers that were never reached, if the agent may need them. */
async function catalogueFor(agent: Agent, view: View, scopes: AgentScopes): Promise<Catalogue> {
  const known = await scopes.catalogueOf(view);
  const isOpen = agent.tools?.some((entry) => entry.includes('*')) ?? false;
  if (!isOpen && scopes.scopeFor(agent, view, known).unknown.length === 0) return known;
  await scopes.arrive(view);
  return scopes.catalogueOf(view);
}
