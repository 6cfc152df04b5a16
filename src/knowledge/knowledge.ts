import type { Config } from '../contract/config.ts';
import type {
  DocumentSummary,
  DocumentRequest,
  DocumentView,
  EmbedStatus,
  KnowledgeSource,
  KnowledgeStats,
  SearchAnswer,
  SearchQuery,
  SyncEvent,
  SyncOptions,
} from '../contract/knowledge.ts';
import type { ConfiguredSource } from './connector.ts';
import type { EmbeddingConfig } from './embedding/embedding-provider.ts';
import type { SourceKey } from './index/index-reader.ts';

/** What one caller may see and how its config wants it done. */
export interface KnowledgeScope {
  /** The sources of its workspace and of the user's own config, the workspace's first. */
  sources: readonly ConfiguredSource[];
  /** Narrows `sources` down to these (`TYPE:NAME`, a name, a type): an agent that is bound to them. Null is all. */
  only: readonly string[] | null;
  chunking: NonNullable<Config['chunking']>;
  retrieval: NonNullable<Config['retrieval']>;
  embedding: EmbeddingConfig;
}

/** The room. Everything that takes time happens in its worker threads. */
export interface Knowledge {
  search(query: SearchQuery, scope: KnowledgeScope, signal: AbortSignal): Promise<SearchAnswer>;
  /** Throws `document_not_found`, with the nearest. */
  get(request: DocumentRequest, scope: KnowledgeScope, signal: AbortSignal): Promise<DocumentView>;
  /** The documents behind a path, a glob, a URL or an id, in order of path. */
  match(reference: string, scope: KnowledgeScope, signal: AbortSignal): Promise<DocumentView[]>;
  /** Ids and titles that begin with, or contain, what has been typed. */
  complete(typed: string, scope: KnowledgeScope): Promise<{ id: string; title: string; path: string }[]>;
  documents(scope: KnowledgeScope, page: { after: string | null; limit: number }): Promise<DocumentSummary[]>;
  sources(scope: KnowledgeScope): Promise<KnowledgeSource[]>;
  /** One sync of a source at a time; a second one that is asked for follows the first. */
  sync(options: SyncOptions, scope: KnowledgeScope, signal: AbortSignal): AsyncGenerator<SyncEvent>;
  /**
   * Drops the sources of an owner that are not among those it has, and says which: a dry run only says so. One that
   * another process is syncing stays.
   */
  removeOthers(
    owner: string | null,
    sources: readonly Omit<SourceKey, 'owner'>[],
    options: Pick<SyncOptions, 'dry_run'>,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
  /** Keeps the folders of these sources live until the signal aborts. */
  watch(scope: KnowledgeScope, signal: AbortSignal, onSync: (event: SyncEvent) => void): Promise<void>;
  /** Whether a sync of this process runs at the moment. */
  isSyncing(): boolean;
  stats(scope: KnowledgeScope): Promise<KnowledgeStats>;
  embedStatus(scope: KnowledgeScope): Promise<EmbedStatus>;
  /** Makes the vectors that are missing, or, with `rebuild`, all of them. */
  embed(options: { rebuild: boolean }, scope: KnowledgeScope, signal: AbortSignal): AsyncGenerator<SyncEvent>;
  close(): Promise<void>;
}
