import type { KnowledgeSource } from '../contract/knowledge.ts';
import type { ConfiguredSource } from './connector.ts';
import type { IndexedSource, IndexReader } from './index/index-reader.ts';
import type { Knowledge, KnowledgeScope } from './knowledge.ts';
import type { Lazy } from './lazily.ts';
import { NEVER_SYNCED, sourceId, sourceKey, visibleSources } from './source-reference.ts';

type Reading = Pick<
  Knowledge,
  'search' | 'get' | 'match' | 'complete' | 'documents' | 'sources' | 'stats' | 'embedStatus'
>;

/** @param isSyncing tells by key whether a source is being synced */
export function createReading(reader: Lazy<IndexReader>, isSyncing: (key: string) => boolean): Reading {
  async function sources(scope: KnowledgeScope): Promise<KnowledgeSource[]> {
    const visible = visibleSources(scope);
    if (visible.length === 0) return [];
    const [index, { connectors }] = await Promise.all([reader.get(), import('./connectors/index.ts')]);
    const known = await index.sources({ sources: visible });
    const indexed = new Map(known.map((each) => [sourceKey(each), each]));
    return visible.map((source) =>
      describe(source, indexed.get(sourceKey(source)), {
        location: connectors[source.type]?.location(source) ?? '',
        syncing: isSyncing(sourceKey(source)),
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
  };
}

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
    ...NEVER_SYNCED,
    ...known,
    ...now,
  };
}
