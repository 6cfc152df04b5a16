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

/** The sources that one caller may see, with the settings of its config. */
export interface KnowledgeScope {
  /** The sources of its workspace and of the user's own config, the workspace's first. */
  sources: readonly ConfiguredSource[];
  /** The sources that an agent is bound to (`TYPE:NAME`, a name, a type); null for all. */
  only: readonly string[] | null;
  chunking: NonNullable<Config['chunking']>;
  retrieval: NonNullable<Config['retrieval']>;
  embedding: EmbeddingConfig;
  /** Whether the workspace is trusted: only then are its hidden and git-ignored files read by name. */
  trusted?: boolean;
}

/** Documents and search. Long work runs in worker threads. */
export interface Knowledge {
  search(query: SearchQuery, scope: KnowledgeScope, signal: AbortSignal): Promise<SearchAnswer>;
  /** Throws `document_not_found`, with the nearest match. */
  get(request: DocumentRequest, scope: KnowledgeScope, signal: AbortSignal): Promise<DocumentView>;
  /** The documents that a path, glob, URL or id refers to, sorted by path. */
  match(reference: string, scope: KnowledgeScope, signal: AbortSignal): Promise<DocumentView[]>;
  /** Documents whose id or title starts with, or contains, the typed text. */
  complete(typed: string, scope: KnowledgeScope): Promise<{ id: string; title: string; path: string }[]>;
  documents(scope: KnowledgeScope, page: { after: string | null; limit: number }): Promise<DocumentSummary[]>;
  sources(scope: KnowledgeScope): Promise<KnowledgeSource[]>;
  /** Syncs of one source run one after another. */
  sync(options: SyncOptions, scope: KnowledgeScope, signal: AbortSignal): AsyncGenerator<SyncEvent>;
  /**
   * Removes and reports an owner's sources that are not in `sources`; a dry run only reports them. A source that
   * another process is syncing is kept.
   */
  removeOthers(
    owner: string | null,
    sources: readonly Omit<SourceKey, 'owner'>[],
    options: Pick<SyncOptions, 'dry_run'>,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
  /** Syncs these sources after each change of their folders until the signal aborts. */
  watch(scope: KnowledgeScope, signal: AbortSignal, onSync: (event: SyncEvent) => void): Promise<void>;
  /** Whether this process is syncing. */
  isSyncing(): boolean;
  stats(scope: KnowledgeScope): Promise<KnowledgeStats>;
  embedStatus(scope: KnowledgeScope): Promise<EmbedStatus>;
  /** Computes missing vectors, or with `rebuild` all of them. */
  embed(options: { rebuild: boolean }, scope: KnowledgeScope, signal: AbortSignal): AsyncGenerator<SyncEvent>;
  close(): Promise<void>;
}
