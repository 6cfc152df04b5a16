import { ZooError } from '../contract/errors.ts';
import type { SyncEvent, SyncOptions } from '../contract/knowledge.ts';
import { expandPath } from '../platform/config/expand-path.ts';
import { isInside, realPath } from '../platform/files/real-path.ts';
import type { ConfiguredSource } from './connector.ts';
import { type Embedder, embedEvents } from './embedding/embed-events.ts';
import type { IndexReader, SourceKey } from './index/index-reader.ts';
import type { Knowledge, KnowledgeScope } from './knowledge.ts';
import type { Lazy } from './lazily.ts';
import { sourceId, sourceKey, visibleSources } from './source-reference.ts';
import type { Syncer } from './sync/create-syncer.ts';
import type { SyncLocks } from './sync/sync-lock.ts';

const DEFAULT_MAX_TOKENS = 700;
const DEFAULT_OVERLAP_TOKENS = 80;

export interface SyncingParts {
  reader: Lazy<IndexReader>;
  syncer: Lazy<Syncer>;
  embedder: Embedder;
  locks: SyncLocks;
  /** The keys of sources that are being synced. */
  syncing: Set<string>;
}

type Syncing = Pick<Knowledge, 'sync' | 'removeOthers' | 'watch' | 'embed'>;

export function createSyncing({ reader, syncer, embedder, locks, syncing }: SyncingParts): Syncing {
  async function* sync(
    { full = false, dry_run: dryRun = false, changes = dryRun }: SyncOptions,
    scope: KnowledgeScope,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    const refused: SyncEvent[] = [];
    const sources = await confineSources(scope.sources, (event) => refused.push(event));
    // A dry run changes nothing, so it needs no lock.
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

  return {
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

    async *embed(options, scope, signal) {
      const sources = visibleSources(scope);
      const release = locks.take(sources);
      try {
        yield* embedEvents(await reader.get(), options, { ...scope, sources }, signal);
      } finally {
        release();
      }
    },
  };
}

/** Null if another process holds it, whose config may still have this source. */
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

/**
 * Drops sources that lie outside of their workspace without approval. They were inside when the config was read, but a
 * link can have been created since.
 */
async function confineSources(
  sources: readonly ConfiguredSource[],
  refuse: (event: SyncEvent) => void,
): Promise<ConfiguredSource[]> {
  const kept: ConfiguredSource[] = [];
  for (const source of sources) {
    if (!source.confined || (await isWithin(source))) {
      kept.push(source);
      continue;
    }
    const reason = 'it is outside of its workspace, which was not approved. Review it with `zoo trust`';
    refuse({ type: 'problem', source: `${source.type}:${source.name}`, path: null, reason });
  }
  return kept;
}

async function isWithin({ type, folder, config }: ConfiguredSource): Promise<boolean> {
  const place = type === 'filesystem' ? config['root'] : type === 'git' ? config['url'] : null;
  if (typeof place !== 'string') return false;
  return isInside(await realPath(folder), await realPath(expandPath(folder, place)));
}
