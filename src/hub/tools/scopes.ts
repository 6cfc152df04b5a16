import type { AgentSummary } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { Tool, ToolDescriptor, ToolProvider } from '../../contract/tool.ts';
import { memoByInputs } from '../../platform/caching/memo-by-inputs.ts';
import type { GrantedTools } from '../../registry/resolve.ts';
import { type Catalogue, createCatalogue } from '../../tools/catalogue/catalogue.ts';
import { describeUnknown } from '../../tools/catalogue/unknown-tool.ts';
import { createScopes, type Scope, type Scopes } from '../../tools/scope/scope.ts';
import { isClientTool } from '../../tools/scope/client-tools.ts';
import { entriesToApprove } from '../../tools/scope/read-only-builtins.ts';
import type { ToolGroups } from '../../tools/scope/tool-groups.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { View } from '../workspaces/view.ts';
import type { AnyWing } from '../wing.ts';
import { createToolFronts, type ToolFronts } from './tool-fronts.ts';
import { withoutOwn } from './own-tools.ts';

/** The fields of an agent that determine its scope. */
export type ScopedAgent = Pick<AgentSummary, 'id' | 'tools' | 'source'>;

/** The tools of a view, and the scopes of its agents. */
export interface AgentScopes extends Pick<ToolFronts, 'frontOf' | 'beside'> {
  /** Adds to the catalogue of every view. */
  add(wing: ToolsOfWing): void;
  /** The scope of an agent as it would be without the tools of one provider. */
  scopeWithout(provider: ToolProvider<View>, agent: ScopedAgent, view: View): Promise<Scope>;
  /** All tools of a view. */
  catalogueOf(view: View): Promise<Catalogue>;
  /** Waits for servers that were never reached: briefly for all of them, or for the one that may have this tool. */
  arrive(view: View): Promise<void>;
  /** Why a tool is not available, as the end of a sentence; null if that is unknown. */
  absence(name: string, view: View): string | null;
  awaitTool(name: string, view: View, isWanted: (name: string) => boolean): Promise<boolean>;
  scopeFor(agent: ScopedAgent, view: View, catalogue: Catalogue): Scope;
  /** The scope that the agent lists, as if its workspace were approved. For explanations only. */
  listedScope(agent: ScopedAgent, view: View, catalogue: Catalogue): Scope;
  scopesOf(owner: string | null, view: View, catalogue: Catalogue): Scopes;
  grantedTools(agent: ScopedAgent, view: View, catalogue: Catalogue): GrantedTools;
  scopeOf(id: string, context: CallContext): Promise<Scope>;
  /** Tools that the caller may see and call: all of them, or the scope of the agent that it acts as. */
  toolsFor(context: CallContext): Promise<readonly ToolDescriptor[]>;
  /** Problems that the providers report. */
  diagnostics(view: View): Promise<Diagnostic[]>;
}

/** The part of a wing that affects the tools of callers. */
export type ToolsOfWing = Pick<AnyWing, 'toolProviders' | 'toolFront' | 'besidePublished'>;

interface Kept {
  groups: ToolGroups;
  editing: boolean;
  limited: boolean;
  scopes: Scopes;
}

const joinTools = (provided: readonly (readonly Tool[])[]): Catalogue => createCatalogue(provided.flat());

/** The scopes of a catalogue, computed once for each kind of owner. */
function createScopesOf() {
  const kept = new WeakMap<Catalogue, Kept[]>();

  /** `limited` to read-only built-ins, for agents of a workspace that was not approved, whatever they list. */
  return function scopesOf(
    owner: string | null,
    view: View,
    catalogue: Catalogue,
    limited = !view.grantsTools(owner),
  ): Scopes {
    const groups = view.toolGroups(owner);
    const editing = view.editing();
    const known = kept.get(catalogue)?.filter((each) => each.editing === editing) ?? [];
    const same = known.find((each) => each.groups === groups && each.limited === limited);
    if (same) return same.scopes;
    const tools = catalogue.descriptors({ editing });
    const scopes = createScopes(limited ? tools.filter(isReadOnlyBuiltin) : tools, groups);
    // At most two per kind of owner; earlier ones are stale.
    kept.set(catalogue, [...known.slice(-3), { groups, editing, limited, scopes }]);
    return scopes;
  };
}

export function createAgentScopes(directory: Pick<AgentDirectory, 'find' | 'view'>): AgentScopes {
  const toolProviders: ToolProvider<View>[] = [];
  const { frontOf, beside, withBeside, ...fronts } = createToolFronts(directory);
  const catalogueOf = memoByInputs<View, readonly Tool[], Catalogue>(joinTools);
  const scopesOf = createScopesOf();

  function absence(name: string, view: View): string | null {
    for (const provider of toolProviders) {
      const why = provider.absence?.(name, view) ?? null;
      if (why !== null) return why;
    }
    return null;
  }

  function scopeFor(agent: ScopedAgent, view: View, catalogue: Catalogue): Scope {
    const owner = ownerOf(agent, view);
    const scope = scopesOf(owner, view, catalogue).expand(hubEntries(agent, owner, view));
    return withoutOwn(scope, catalogue.publishedBy(agent.id));
  }

  const listedScope = (agent: ScopedAgent, view: View, catalogue: Catalogue): Scope =>
    scopesOf(ownerOf(agent, view), view, catalogue, false).expand(agent.tools);
  const catalogueWithout = memoByInputs<ToolProvider<View>, readonly Tool[], Catalogue>(joinTools);

  const currentCatalogue = async (view: View): Promise<Catalogue> =>
    catalogueOf(view, await Promise.all(toolProviders.map((provider) => provider.tools(view))));

  async function scopeOf(id: string, context: CallContext): Promise<Scope> {
    const { agent } = await directory.find(id, context);
    const view = await directory.view(context.workspace);
    return scopeFor(agent, view, await currentCatalogue(view));
  }

  async function toolsInScope(context: CallContext): Promise<readonly ToolDescriptor[]> {
    if (context.agent !== null) return (await scopeOf(context.agent, context)).available;
    const view = await directory.view(context.workspace);
    return (await currentCatalogue(view)).descriptors({ editing: view.editing() });
  }

  return {
    add(wing) {
      toolProviders.push(...(wing.toolProviders ?? []));
      fronts.add(wing);
    },
    frontOf,
    beside,
    async scopeWithout(provider, agent, view) {
      const others = toolProviders.filter((each) => each !== provider);
      const provided = await Promise.all(others.map((each) => each.tools(view)));
      const catalogue = catalogueWithout(provider, provided);
      return scopesOf(ownerOf(agent, view), view, catalogue).expand(agent.tools);
    },
    scopesOf,
    scopeFor,
    listedScope,
    scopeOf,
    catalogueOf: currentCatalogue,

    async toolsFor(context) {
      const front = await frontOf(context);
      const tools = front ? front.map(({ descriptor }) => descriptor) : await toolsInScope(context);
      return withBeside(tools);
    },

    async diagnostics(view) {
      const found = toolProviders.map(async (provider) => (await provider.diagnostics?.(view)) ?? []);
      return (await Promise.all(found)).flat();
    },

    async arrive(view) {
      await Promise.all(toolProviders.map(async (provider) => provider.arrive?.(view)));
    },

    absence,

    async awaitTool(name, view, isWanted) {
      const arrivals = await Promise.all(
        toolProviders.map(async (provider) => provider.awaitTool?.(name, view, isWanted)),
      );
      return arrivals.some((arrived) => arrived);
    },

    grantedTools(agent, view, catalogue) {
      const { granted } = scopeFor(agent, view, catalogue);
      const { unknown } = listedScope(agent, view, catalogue);
      const waiting = describeWaiting(agent, view, unknown);
      // In a Markdown agent, an unknown name may be a tool of its client; elsewhere it is a mistake.
      const isMarkdown = agent.source === 'markdown';
      const clientTools = clientEntries(agent, view, unknown, isMarkdown);
      const others = isMarkdown ? [] : unknown.filter((entry) => !clientTools.includes(entry));
      const warnings = others.map((entry) =>
        describeUnknown(entry, catalogue, (name) => absence(name, view)),
      );
      return { tools: [...granted], clientTools, warnings: [...warnings, ...waiting] };
    },
  };
}

/** A warning about the tools that an agent gets once its workspace is approved. */
function describeWaiting(agent: ScopedAgent, view: View, unknown: readonly string[]): string[] {
  const owner = ownerOf(agent, view);
  if (view.grantsTools(owner)) return [];
  const entries = entriesToApprove(agent.tools, view.toolGroups(owner)).filter(
    (entry) => !unknown.includes(entry),
  );
  if (entries.length === 0) return [];
  const [list, verb] = [entries.join(', '), entries.length === 1 ? 'is' : 'are'];
  return [`${list} ${verb} granted once the workspace is approved: run \`zoo trust\``];
}

/** In a workspace's agent, a client tool's name is not part of the approval, so it never refers to a tool of the hub. */
function isOnlyClients(entry: string, owner: string | null, view: View): boolean {
  return owner !== null && isClientTool(entry) && !Object.hasOwn(view.toolGroups(owner), entry);
}

function hubEntries({ tools }: ScopedAgent, owner: string | null, view: View): readonly string[] | null {
  const isOfClient = (entry: string) => isOnlyClients(entry, owner, view);
  return tools?.some(isOfClient) ? tools.filter((entry) => !isOfClient(entry)) : tools;
}

/** Entries that refer to tools of the client; with `orUnknown`, also any other name that is not a tool of the hub. */
function clientEntries(
  agent: ScopedAgent,
  view: View,
  unknown: readonly string[],
  orUnknown: boolean,
): string[] {
  const owner = ownerOf(agent, view);
  return (agent.tools ?? []).filter((entry) => {
    if (isOnlyClients(entry, owner, view)) return true;
    if (orUnknown && unknown.includes(entry) && !entry.startsWith('!')) return true;
    // A rule such as `Bash(npm test:*)` reads like a glob of ours that matches nothing.
    return isClientTool(entry) && (entry.includes('(') || unknown.includes(entry));
  });
}

const isReadOnlyBuiltin = ({ origin, annotations }: ToolDescriptor): boolean =>
  origin === 'builtin' && annotations.readOnlyHint;

/** The workspace that defines an agent in a file; null for agents of the editor and the user's own config. */
export function ownerOf({ id, source }: Pick<AgentSummary, 'id' | 'source'>, view: View): string | null {
  return source === 'editor' ? null : (view.merged().byId.get(id)?.owner ?? null);
}
