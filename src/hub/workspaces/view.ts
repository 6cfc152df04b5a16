import type { AgentSummary } from '../../contract/agent.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import type { Workspace } from '../../contract/workspace.ts';
import { sameItems } from '../../platform/caching/memo-by-inputs.ts';
import type { LocatedWorkspace } from '../../platform/home/workspaces.ts';
import { isTrusted } from '../../platform/trust/trust.ts';
import type { AgentStore } from '../../registry/agent-store.ts';
import {
  diagnoseFeatured,
  type FeaturedAgents,
  featuredAgents,
  withFeatured,
} from '../../registry/featured-agents.ts';
import type { Layer, LayerSnapshot } from '../../registry/layers/layer.ts';
import { createRegistry, type MergedAgents, mergeAgents, type Registry } from '../../registry/registry.ts';
import type { SourcedAgent } from '../../registry/source.ts';
import { needsNoApproval } from '../../tools/scope/read-only-builtins.ts';
import type { ToolGroups } from '../../tools/scope/tool-groups.ts';

/** Above this many tools a model gets a search instead of the list. */
const SEARCH_ABOVE = 40;

/** Everything that callers of one workspace see. */
export interface View {
  located: LocatedWorkspace;
  /** The workspace's own layer. */
  layer: Layer;
  /** All layers that its callers see, the workspace's own first. */
  layers: readonly Layer[];
  registry: Registry;
  merged(): MergedAgents;
  diagnostics(): Promise<Diagnostic[]>;
  /**
   * Groups of tools for agents of this owner. Groups of a workspace do not count for the user's own agents: a group may
   * have the name of a tool and mean more. Returns the same object until a config changes.
   */
  toolGroups(owner: string | null): ToolGroups;
  /** Whether agents of this owner may be given more than read-only built-ins: the user's own, or approved ones. */
  grantsTools(owner: string | null): boolean;
  /** Above this many tools, an agent gets a search instead of a list. */
  searchAbove(): number;
  /** False where a config hides the tools that edit agents. */
  editing(): boolean;
  describe(): Workspace;
}

export interface ViewParts {
  store: AgentStore;
  /** The user's own config; null if an explicit config replaces everything. */
  ownLayer: Layer | null;
  /** Registered agents, which every workspace sees. */
  registered(): readonly SourcedAgent[];
}

export function createView(parts: ViewParts, located: LocatedWorkspace, layer: Layer): View {
  const { store, ownLayer, registered } = parts;
  // The user's own config directory, opened as a workspace, is one layer and not two.
  const layers = ownLayer && ownLayer.folder !== layer.folder ? [layer, ownLayer] : [layer];
  const snapshots = () => layers.map((each) => each.current());
  /** Computes a value from the files and the registered agents, and recomputes it only when one of them changes. */
  function derived<T>(
    from: (current: readonly LayerSnapshot[], others: readonly SourcedAgent[]) => T,
  ): () => T {
    let known: { from: readonly LayerSnapshot[]; others: readonly SourcedAgent[]; value: T } | undefined;
    return () => {
      const current = snapshots();
      const others = registered();
      const same = known?.others === others && sameItems(current, known.from);
      if (!known || !same) known = { from: current, others, value: from(current, others) };
      return known.value;
    };
  }
  const files = derived((current, others) => mergeAgents([...current.map(({ agents }) => agents), others]));
  const groups = derived((current) => {
    const user = mergeGroups(current.filter(({ trust }) => trust.state === 'own'));
    const workspace = mergeGroups(current.filter(({ trust }) => trust.state !== 'own'));
    // Such names are not part of a workspace's approval, so its agents must not reach a group through them.
    const shared = Object.entries(user).filter(([name]) => !needsNoApproval(name));
    return { user, workspace: { ...Object.fromEntries(shared), ...workspace } };
  });
  const registry = featuring(
    createRegistry(store, files),
    derived((current) => featuredAgents(current.map(({ config }) => config.config))),
  );
  return {
    located,
    layer,
    layers,
    registry,
    merged: files,
    diagnostics: async () => [
      ...snapshots().flatMap(({ diagnostics }) => diagnostics),
      ...(await registry.diagnostics()),
      ...(await unknownFeatured(layers, registry)),
    ],
    toolGroups: (owner) => (owner === null ? groups().user : groups().workspace),
    grantsTools: (owner) => owner === null || isTrusted(layer.current().trust.state),
    searchAbove: () =>
      snapshots().find(({ config }) => config.config.tools?.search_above !== undefined)?.config.config.tools
        ?.search_above ?? SEARCH_ABOVE,
    editing: () => snapshots().every(({ config }) => config.config.mcp?.editing !== false),
    describe: () => ({
      id: located.id,
      path: located.path,
      config: layer.current().config.file,
      trust: layer.current().trust.state,
    }),
  };
}

/** The registry with the workspace's `default_agent` and `suggested` agents first. */
function featuring(registry: Registry, featured: () => FeaturedAgents): Registry {
  let known:
    { all: readonly AgentSummary[]; featured: FeaturedAgents; list: readonly AgentSummary[] } | undefined;
  return {
    ...registry,
    async list() {
      const all = await registry.list();
      const first = featured();
      if (known?.all !== all || known.featured !== first) {
        known = { all, featured: first, list: withFeatured(all, first) };
      }
      return known.list;
    },
  };
}

async function unknownFeatured(layers: readonly Layer[], registry: Registry): Promise<Diagnostic[]> {
  const naming = layers.filter((layer) => layer.current().config.config.workspace !== undefined);
  if (naming.length === 0) return [];
  const ids = (await registry.list()).map(({ id }) => id);
  return naming.flatMap((layer) => diagnoseFeatured(layer.current().config, ids, layer.owner));
}

/** The first config wins. */
function mergeGroups(snapshots: readonly LayerSnapshot[]): ToolGroups {
  const each = snapshots.map(({ config }) => config.config.tools?.groups ?? {});
  return Object.fromEntries(each.toReversed().flatMap(Object.entries<readonly string[]>));
}
