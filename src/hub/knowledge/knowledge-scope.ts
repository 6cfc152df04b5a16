import { NEVER_SYNCED, sourceId, sourceKey } from '../../knowledge/source-reference.ts';
import type { Agent } from '../../contract/agent.ts';
import type { Config } from '../../contract/config.ts';
import { ConnectorType, type KnowledgeSource } from '../../contract/knowledge.ts';
import type { ConfiguredSource } from '../../knowledge/connector.ts';
import type { EmbeddingConfig } from '../../knowledge/embedding/embedding-provider.ts';
import type { CallContext } from '../../contract/call.ts';
import type { Knowledge, KnowledgeScope } from '../../knowledge/knowledge.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import { approvedFiles, isTrusted } from '../../platform/trust/trust.ts';
import { unsetUnder } from '../../platform/config/variables.ts';
import type { Layer, LayerSnapshot } from '../../registry/layers/layer.ts';
import type { View } from '../workspaces/view.ts';

/** The only place that decides which knowledge a caller may see. */
export interface KnowledgeAccess {
  knowledge: Knowledge;
  /** For the caller, or for the agent that it acts as. */
  scopeFor(context: CallContext): Promise<KnowledgeScope>;
}

export function createKnowledgeAccess(
  knowledge: Knowledge,
  { view, find }: Pick<AgentDirectory, 'view' | 'find'>,
): KnowledgeAccess {
  return {
    knowledge,
    async scopeFor(context) {
      const agent = context.agent === null ? null : (await find(context.agent, context)).agent;
      return knowledgeScopeOf(await view(context.workspace), agent);
    },
  };
}

/** The sources visible to callers of a view, or to one of its agents. */
export function knowledgeScopeOf(
  view: Pick<View, 'layers'>,
  agent: Pick<Agent, 'sources'> | null,
): KnowledgeScope {
  const snapshots = view.layers.map((layer) => layer.current());
  let known = scopes.get(view.layers);
  if (!known || snapshots.some((snapshot, index) => snapshot !== known?.snapshots[index])) {
    known = { snapshots, scope: scopeOf(view.layers) };
    scopes.set(view.layers, known);
  }
  return agent?.sources ? { ...known.scope, only: agent.sources } : known.scope;
}

/** Cached, because every resolve needs one and it changes only with the config. */
const scopes = new WeakMap<readonly Layer[], { snapshots: LayerSnapshot[]; scope: KnowledgeScope }>();

/**
 * The same, grouped by config: chunking and embedding settings come from the config that defines a source.
 * Otherwise two workspaces would overwrite each other's work on shared sources.
 */
export function knowledgeScopesByConfig(view: Pick<View, 'layers'>): KnowledgeScope[] {
  const visible = new Set(scopeOf(view.layers).sources.map(sourceKey));
  return view.layers.flatMap((layer) => {
    const scope = knowledgeScopeOfLayer(view, layer);
    const sources = scope.sources.filter((source) => visible.has(sourceKey(source)));
    return sources.length === 0 ? [] : [{ ...scope, sources }];
  });
}

/** All sources of one config, with its settings; missing settings come from the user's own config. */
export function knowledgeScopeOfLayer(view: Pick<View, 'layers'>, layer: Layer): KnowledgeScope {
  const layers = view.layers.slice(view.layers.indexOf(layer));
  return { ...scopeOf(layers), sources: sourcesIn(layer) };
}

function scopeOf(layers: readonly Layer[]): KnowledgeScope {
  const byId = new Map<string, ConfiguredSource>();
  for (const source of layers.flatMap(sourcesIn)) {
    // The workspace comes first and wins.
    if (!byId.has(sourceId(source))) byId.set(sourceId(source), source);
  }
  // The workspace's own come last and override.
  const configs = layers.map((layer) => layer.current().config.config).toReversed();
  return {
    sources: [...byId.values()],
    only: null,
    chunking: configs.reduce<KnowledgeScope['chunking']>((all, each) => ({ ...all, ...each.chunking }), {}),
    retrieval: configs.reduce<KnowledgeScope['retrieval']>(
      (all, each) => ({ ...all, ...each.retrieval }),
      {},
    ),
    embedding: embeddingOf(layers),
    trusted: layers.every((layer) => isTrusted(layer.current().trust.state)),
  };
}

/** Taken from one config as a whole: the user's API key must not be sent to a URL from a workspace. */
function embeddingOf(layers: readonly Layer[]): EmbeddingConfig {
  for (const layer of layers) {
    const { expanded, config, unset } = layer.current();
    const { embedding } = allowed(layer, 'embedding') ? (expanded ?? config.config) : {};
    const secrets = layers.flatMap((each) => each.current().secrets);
    if (embedding) return { ...embedding, secrets, unset: unsetUnder(unset, ['embedding']) };
  }
  return {};
}

function sourcesIn(layer: Layer): ConfiguredSource[] {
  const { config, expanded, unset, approved } = layer.current();
  const written = new Map(entriesOf(config.config).map((entry) => [sourceId(entry), entry.config]));
  return entriesOf(expanded ?? config.config)
    .filter(({ type, name }) => allowed(layer, `${type}.${name}`))
    .map((entry) => ({
      ...entry,
      owner: layer.owner,
      folder: config.folder,
      written: written.get(sourceId(entry)) ?? entry.config,
      unset: unsetUnder(unset, ['connectors', entry.type, entry.name]),
      confined: isConfined(layer, `${entry.type}.${entry.name}`),
      approved: approvedFiles(approved, 'connector', `${entry.type}.${entry.name}`),
    }));
}

/** Sources inside the workspace's folder need no trust; all others do. */
function allowed(layer: Layer, name: string): boolean {
  return layer.current().expanded !== null || !isListed(layer, name);
}

/**
 * Whether reads are confined to the folder. An approval does not cover links that lead out of it later.
 */
function isConfined(layer: Layer, name: string): boolean {
  const { expanded, trust } = layer.current();
  return expanded === null || (trust.state !== 'own' && !isListed(layer, name));
}

const isListed = (layer: Layer, name: string) =>
  layer.current().trust.runnables.some((each) => each.kind === 'connector' && each.name === name);

function entriesOf({ connectors = {} }: Config): Pick<ConfiguredSource, 'type' | 'name' | 'config'>[] {
  return ConnectorType.options.flatMap((type) =>
    Object.entries<ConfiguredSource['config']>(connectors[type] ?? {}).map(([name, config]) => ({
      type,
      name,
      config,
    })),
  );
}

/**
 * The names of all sources in a config; null if the config has errors or is not approved, because a missing source
 * then means nothing.
 */
export function sourcesNamedBy(layer: Layer): Pick<ConfiguredSource, 'type' | 'name'>[] | null {
  const { config, expanded, trust } = layer.current();
  const whole = config.file !== null && !config.broken;
  const right = config.diagnostics.every(({ severity }) => severity !== 'error');
  const approved = expanded !== null || trust.state === 'nothing-to-trust';
  return whole && right && approved ? entriesOf(config.config) : null;
}

/** Configured sources that are not read because the workspace is not trusted. */
export function untrustedSources(view: Pick<View, 'layers'>): KnowledgeSource[] {
  return view.layers.flatMap((layer) => {
    const { config, trust } = layer.current();
    const details = new Map(trust.runnables.map(({ name, detail }) => [name, detail]));
    return entriesOf(config.config)
      .filter(({ type, name }) => !allowed(layer, `${type}.${name}`))
      .map(({ type, name }) => ({
        id: sourceId({ type, name }),
        type,
        name,
        location: details.get(`${type}.${name}`) ?? '',
        configured: false,
        healthy: false,
        ...NEVER_SYNCED,
        last_error: 'Its workspace is not trusted yet. Review and approve it with `zoo trust`.',
        syncing: false,
      }));
  });
}
