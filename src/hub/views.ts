import { isAbsolute } from 'node:path';
import type { Diagnostic } from '../contract/diagnostic.ts';
import { ZooError } from '../contract/errors.ts';
import type { Workspace } from '../contract/workspace.ts';
import { sameItems } from '../platform/caching/memo-by-inputs.ts';
import type { Database } from '../platform/store/database.ts';
import { type NewEvent, recordEvent } from '../platform/store/events.ts';
import {
  type LocatedWorkspace,
  locateWorkspace,
  lookupWorkspace,
  rememberWorkspace,
} from '../platform/home/workspaces.ts';
import { changesBetween } from '../registry/changes.ts';
import type { AgentStore } from '../registry/agent-store.ts';
import type { Layer, LayerSnapshot } from '../registry/layers/layer.ts';
import type { SourcedAgent } from '../registry/source.ts';
import { createRegistry, type MergedAgents, mergeAgents, type Registry } from '../registry/registry.ts';
import type { ToolGroups } from '../tools/scope/tool-groups.ts';

/** More tools than this crowd out what a model is asked, so it searches them instead. */
const SEARCH_ABOVE = 40;

/** What the callers of one workspace see. */
export interface View {
  located: LocatedWorkspace;
  /** The workspace's own layer. */
  layer: Layer;
  /** All that its callers see, the workspace's own first. */
  layers: readonly Layer[];
  registry: Registry;
  merged(): MergedAgents;
  diagnostics(): Promise<Diagnostic[]>;
  /**
   * Groups of tools as an agent of this owner means them: its own config has the first word, so that a workspace does
   * not redefine the scope of agents that are not its own. The same object for as long as no config changes.
   */
  toolGroups(owner: string | null): ToolGroups;
  /** Above how many tools an agent is served a search instead of a list. */
  searchAbove(): number;
  /** False where a config hides the tools that edit agents. */
  editing(): boolean;
  describe(): Workspace;
}

export interface Views {
  /** The id of what a caller named; the workspace is remembered under it. */
  identify(named: string | undefined): Promise<string>;
  open(id: string): Promise<View>;
  close(): Promise<void>;
}

export interface ViewsOptions {
  db: Database;
  store: AgentStore;
  now: () => Date;
  /** Where the hub was started. */
  start: LocatedWorkspace;
  /** The folder it was started in, if a config elsewhere was named for it; callers from there get `start`. */
  standIn: string | null;
  /** The user's own config; null where an explicit config stands in for everything. */
  ownLayer: Layer | null;
  /** Agents that are in no file, which every workspace sees. */
  registered(): readonly SourcedAgent[];
  createLayer(located: LocatedWorkspace): Promise<Layer>;
  /** Called with each view once it is open. */
  onOpen?: (view: View) => void;
}

/** Layers are opened when a caller first comes from a workspace, and stay open and watched. */
export async function createViews(options: ViewsOptions): Promise<Views> {
  const { db, start, ownLayer } = options;
  const opened = new Map<string, Promise<View>>();

  async function open(located: LocatedWorkspace): Promise<View> {
    const layer = await options.createLayer(located);
    layer.onChange((next, previous) => void announce(options, layer.owner, next, previous));
    await rememberWorkspace(db, located, options.now());
    const view = createView(options, located, layer);
    options.onOpen?.(view);
    return view;
  }
  function opening(located: LocatedWorkspace): Promise<View> {
    const known = opened.get(located.id);
    if (known) return known;
    const view = open(located);
    opened.set(located.id, view);
    // What failed may succeed the next time it is asked for.
    view.catch(() => opened.delete(located.id));
    return view;
  }

  ownLayer?.onChange((next, previous) => void announce(options, null, next, previous));
  await opening(start);

  return {
    async identify(named) {
      if (named === undefined || named === start.id || named === options.standIn) return start.id;
      if (opened.has(named)) return named;
      const located = isAbsolute(named) ? await locateWorkspace(named, {}) : await find(named);
      return (await opening(located)).located.id;
    },

    async open(id) {
      return opened.get(id) ?? opening(await find(id));
    },

    async close() {
      const views = await Promise.allSettled(opened.values());
      const layers = views.flatMap((view) => (view.status === 'fulfilled' ? [view.value.layer] : []));
      await Promise.all([...layers, ...(ownLayer ? [ownLayer] : [])].map((layer) => layer.close()));
    },
  };

  async function find(id: string): Promise<LocatedWorkspace> {
    const path = await lookupWorkspace(db, id);
    if (path === null) {
      throw new ZooError(
        'workspace_not_found',
        `There is no workspace '${id}'. Name its folder once (POST /api/workspaces) to get its id.`,
        { workspace: id },
      );
    }
    return locateWorkspace(path, {});
  }
}

function createView(options: ViewsOptions, located: LocatedWorkspace, layer: Layer): View {
  const { store, ownLayer, registered } = options;
  // The user's own config directory, opened as a workspace, is one layer and not two.
  const layers = ownLayer && ownLayer.folder !== layer.folder ? [layer, ownLayer] : [layer];
  const snapshots = () => layers.map((each) => each.current());
  /** Works something out from the files and the agents besides them, and again only when one of them is another. */
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
    const said = current.map(({ config }) => config.config.tools?.groups ?? {});
    const merged = (each: readonly ToolGroups[]): ToolGroups =>
      Object.fromEntries(each.flatMap(Object.entries<readonly string[]>));
    return { ofUser: merged(said), ofWorkspace: merged(said.toReversed()) };
  });
  const registry = createRegistry(store, files);
  return {
    located,
    layer,
    layers,
    registry,
    merged: files,
    diagnostics: async () => [
      ...snapshots().flatMap(({ diagnostics }) => diagnostics),
      ...(await registry.diagnostics()),
    ],
    toolGroups: (owner) => (owner === null ? groups().ofUser : groups().ofWorkspace),
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

/** What moves in a file when something else in it is edited. */
const INCIDENTAL = new Set(['createdAt', 'updatedAt', 'origin.line']);

/** Files that changed are told like every other change. */
async function announce(
  { db, now }: ViewsOptions,
  owner: string | null,
  next: LayerSnapshot,
  previous: LayerSnapshot,
): Promise<void> {
  const events = eventsBetween(owner, next, previous);
  if (events.length === 0) return;
  // A failed write is the store's trouble and shows there; the new files are served all the same.
  await db
    .transaction(async (tx) => {
      for (const event of events) await recordEvent(tx, event, now().toISOString());
    })
    .catch(() => undefined);
}

function eventsBetween(owner: string | null, next: LayerSnapshot, previous: LayerSnapshot): NewEvent[] {
  const byKey = ({ agents }: LayerSnapshot) =>
    new Map(agents.map((one) => [`${one.agent.source} ${one.agent.id}`, one]));
  const [before, after] = [byKey(previous), byKey(next)];
  const events: NewEvent[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, fresh] = [before.get(key), after.get(key)];
    const agent = (fresh ?? old)?.agent;
    if (!agent) continue;
    const changes = changesBetween(old?.agent ?? {}, fresh?.agent ?? {}).map(({ path }) => path);
    const real = changes.filter((path) => !INCIDENTAL.has(path));
    if (old?.program?.version !== fresh?.program?.version) real.push('program');
    if (old?.trusted !== fresh?.trusted) real.push('trusted');
    if (real.length === 0) continue;
    const type = !old ? 'agent-created' : !fresh ? 'agent-deleted' : 'agent-changed';
    events.push({ type, workspace: owner, agentId: agent.id, data: { source: agent.source, changes: real } });
  }
  if (!sameTools(previous, next)) events.push({ type: 'tools-changed', workspace: owner, agentId: null });
  if (changesBetween(previous.diagnostics, next.diagnostics).length > 0) {
    events.push({ type: 'diagnostics-changed', workspace: owner, agentId: null });
  }
  if (previous.trust.state !== next.trust.state) {
    events.push({
      type: 'trust-changed',
      workspace: owner,
      agentId: null,
      data: { state: next.trust.state },
    });
  }
  return events;
}

/** Whether two configs say the same about which tools there are, and their scripts are the same. */
function sameTools(before: LayerSnapshot, after: LayerSnapshot): boolean {
  const said = ({ config: { config }, trust, expanded }: LayerSnapshot) => ({
    mcp: config.mcp ?? {},
    tools: config.tools ?? {},
    scripts: config.tools?.script ? [trust.hash, expanded !== null] : [],
  });
  return changesBetween(said(before), said(after)).length === 0;
}
