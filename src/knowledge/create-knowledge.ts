import { ZooError } from '../contract/errors.ts';
import type { KnowledgeSource, SyncEvent, SyncOptions } from '../contract/knowledge.ts';
import { confineSources } from './confine-sources.ts';
import type { ConfiguredSource } from './connector.ts';
import { createEmbedder, embedEvents } from './embedding/embed-events.ts';
import type { IndexedSource, IndexReader, SourceKey } from './index/index-reader.ts';
import type { Knowledge, KnowledgeScope } from './knowledge.ts';
import { sourceId, sourceKey, visibleSources } from './source-reference.ts';
import type { SyncLocks } from './sync/sync-lock.ts';
import type { Syncer, SyncerOptions } from './sync/create-syncer.ts';

export interface KnowledgeOptions {
  /** Called when something is first asked for: who never does pays nothing. */
  openReader(): Promise<IndexReader>;
  openSyncer(options: Required<Pick<SyncerOptions, 'embed'>>): Promise<Syncer>;
  locks: SyncLocks;
}

const DEFAULT_MAX_TOKENS = 700;
const DEFAULT_OVERLAP_TOKENS = 80;

/** The room: the reading and the syncing side of the index as one, each in threads of its own. */
export function createKnowledge({ openReader, openSyncer, locks }: KnowledgeOptions): Knowledge {
  const reader = lazily(openReader);
  const embedder = createEmbedder(reader.get);
  const syncer = lazily(() => openSyncer({ embed: embedder.embed }));
  const syncing = new Set<string>();

  async function* sync(
    { full = false, dry_run: dryRun = false, changes = dryRun }: SyncOptions,
    scope: KnowledgeScope,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    const refused: SyncEvent[] = [];
    const sources = await confineSources(scope.sources, (event) => refused.push(event));
    // A dry run changes nothing, so it may look while somebody else syncs.
    const release = dryRun ? () => undefined : locks.take(sources);
    const keys = sources.map(sourceKey);
    for (const key of keys) syncing.add(key);
    embedder.use(sources, scope.embedding);
    try {
      const open = await syncer.get();
      const options = { full, dry_run: dryRun, changes };
      for await (const event of open.sync(options, sources, settingsOf(scope), signal)) {
        yield event.type === 'end' && refused.length > 0 ? { ...event, ok: false } : event;
        if (event.type === 'start') yield* refused;
      }
    } finally {
      for (const key of keys) syncing.delete(key);
      release();
    }
  }

  async function sources(scope: KnowledgeScope): Promise<KnowledgeSource[]> {
    const visible = visibleSources(scope);
    if (visible.length === 0) return [];
    const [index, { connectors }] = await Promise.all([reader.get(), import('./connectors/index.ts')]);
    const known = await index.sources({ sources: visible });
    const indexed = new Map(known.map((each) => [sourceKey(each), each]));
    return visible.map((source) =>
      describe(source, indexed.get(sourceKey(source)), {
        location: connectors[source.type]?.location(source) ?? '',
        syncing: syncing.has(sourceKey(source)),
      }),
    );
  }

  return {
    search: async (query, scope, signal) =>
      (await reader.get()).search(query, { ...scope, sources: visibleSources(scope) }, signal),
    get: async (request, scope, signal) =>
      (await reader.get()).get(request, { sources: visibleSources(scope) }, signal),
    match: async (reference, scope, signal) =>
      (await reader.get()).match(reference, { sources: visibleSources(scope) }, signal),
    complete: async (typed, scope) =>
      (await reader.get()).complete(typed, { sources: visibleSources(scope) }),
    documents: async (scope, page) =>
      (await reader.get()).documents({ sources: visibleSources(scope) }, page),
    sources,
    sync,

    async *removeOthers(owner, kept, { dry_run: dryRun = false }, signal) {
      const has = new Set(kept.map((source) => sourceKey({ ...source, owner })));
      const all = await (await reader.get()).allSources();
      for (const source of all) {
        if (source.owner !== owner || has.has(sourceKey(source))) continue;
        const release = dryRun ? () => undefined : takeUnlessTaken(locks, source);
        if (!release) continue;
        try {
          if (!dryRun) await (await syncer.get()).remove([source], signal);
          signal.throwIfAborted();
        } finally {
          release();
        }
        yield { type: 'removed', source: sourceId(source), documents: source.documents };
      }
    },

    async watch(scope, signal, onSync) {
      const sources = await confineSources(scope.sources, onSync);
      const release = locks.take(sources);
      const byId = new Map(sources.map((source) => [sourceId(source), sourceKey(source)]));
      embedder.use(sources, scope.embedding);
      try {
        const open = await syncer.get();
        await open.watch(sources, settingsOf(scope), signal, (event) => {
          const key = 'source' in event ? byId.get(event.source) : undefined;
          if (key !== undefined && event.type === 'progress') syncing.add(key);
          if (key !== undefined && event.type === 'done') syncing.delete(key);
          onSync(event);
        });
      } finally {
        for (const key of byId.values()) syncing.delete(key);
        release();
      }
    },

    isSyncing: () => syncing.size > 0,

    async stats(scope) {
      const all = await sources(scope);
      const total = (key: 'documents' | 'chunks' | 'bytes' | 'tokens') =>
        all.reduce((sum, source) => sum + source[key], 0);
      const index = await reader.get();
      return {
        documents: total('documents'),
        chunks: total('chunks'),
        bytes: total('bytes'),
        tokens: total('tokens'),
        indexBytes: await index.indexBytes(),
        embedding: await index.embedStatus({ sources: visibleSources(scope), embedding: scope.embedding }),
        sources: all,
      };
    },

    embedStatus: async (scope) =>
      (await reader.get()).embedStatus({ sources: visibleSources(scope), embedding: scope.embedding }),

    async *embed(options, scope, signal) {
      const sources = visibleSources(scope);
      const release = locks.take(sources);
      try {
        yield* embedEvents(await reader.get(), options, { ...scope, sources }, signal);
      } finally {
        release();
      }
    },

    async close() {
      await Promise.all([reader.close(), syncer.close()]);
    },
  };
}

/** Null where another process has it, whose config may name it. */
function takeUnlessTaken(locks: SyncLocks, source: SourceKey): (() => void) | null {
  try {
    return locks.take([source]);
  } catch (error) {
    if (error instanceof ZooError && error.code === 'conflict') return null;
    throw error;
  }
}

const settingsOf = ({ chunking }: KnowledgeScope) => ({
  maxTokens: chunking.max_tokens ?? DEFAULT_MAX_TOKENS,
  overlapTokens: chunking.overlap_tokens ?? DEFAULT_OVERLAP_TOKENS,
});

function describe(
  { type, name }: ConfiguredSource,
  indexed: IndexedSource | undefined,
  now: { location: string; syncing: boolean },
): KnowledgeSource {
  const { owner: _owner, ...known } = indexed ?? { owner: null };
  return {
    id: sourceId({ type, name }),
    type,
    name,
    configured: true,
    healthy: indexed !== undefined && indexed.last_sync !== null && indexed.last_error === null,
    documents: 0,
    chunks: 0,
    bytes: 0,
    tokens: 0,
    skipped: 0,
    failed: [],
    last_sync: null,
    last_error: null,
    ...known,
    ...now,
  };
}

/** Opened once, when it is first asked for; what failed to open is tried again. */
function lazily<T extends { close(): Promise<void> }>(open: () => Promise<T>) {
  let opened: Promise<T> | null = null;
  return {
    get(): Promise<T> {
      if (opened) return opened;
      const opening = open();
      opened = opening;
      opening.catch(() => {
        if (opened === opening) opened = null;
      });
      return opening;
    },
    async close(): Promise<void> {
      await (await opened?.catch(() => null))?.close();
    },
  };
}
