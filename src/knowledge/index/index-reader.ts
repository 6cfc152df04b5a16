import type { Config } from '../../contract/config.ts';
import type {
  DocumentRequest,
  DocumentView,
  EmbedStatus,
  KnowledgeSource,
  SearchAnswer,
  SearchQuery,
} from '../../contract/knowledge.ts';
import type { ConfiguredSource } from '../connector.ts';

/** A source by what names it; the index knows it by the same. */
export type SourceKey = Pick<ConfiguredSource, 'owner' | 'type' | 'name'>;

/** What one caller may see, already narrowed down to what its agent is bound to. */
export interface ReaderScope {
  sources: readonly SourceKey[];
}

export interface SearchScope extends ReaderScope {
  retrieval: NonNullable<Config['retrieval']>;
  embedding: NonNullable<Config['embedding']>;
}

export interface EmbedScope extends ReaderScope {
  embedding: NonNullable<Config['embedding']>;
}

/** What the index knows of a source; whether it is configured or syncing, others know. */
export type IndexedSource = SourceKey &
  Pick<
    KnowledgeSource,
    | 'location'
    | 'documents'
    | 'chunks'
    | 'bytes'
    | 'tokens'
    | 'skipped'
    | 'failed'
    | 'last_sync'
    | 'last_error'
  >;

export interface EmbedProgress {
  embedded: number;
  total: number;
}

export interface DocumentListing {
  id: string;
  title: string;
  path: string;
  mime_type: string;
  source: string;
}

/**
 * The reading side of the index, in threads of its own. An index that is not there yet is an empty one.
 * Whatever is not visible in the scope is as if it did not exist.
 */
export interface IndexReader {
  search(query: SearchQuery, scope: SearchScope, signal: AbortSignal): Promise<SearchAnswer>;
  /** Throws `document_not_found`, with the nearest. */
  get(request: DocumentRequest, scope: ReaderScope, signal: AbortSignal): Promise<DocumentView>;
  /** The documents behind a path, a glob, a URL or an id, in order of path. */
  match(reference: string, scope: ReaderScope, signal: AbortSignal): Promise<DocumentView[]>;
  complete(typed: string, scope: ReaderScope): Promise<{ id: string; title: string; path: string }[]>;
  /** In order of id; `after` is the last id of the page before. */
  documents(scope: ReaderScope, page: { after: string | null; limit: number }): Promise<DocumentListing[]>;
  /** Those of the scope that have been synced at least once. */
  sources(scope: ReaderScope): Promise<IndexedSource[]>;
  /** Every source there is in the index, for those who clean up. */
  allSources(): Promise<IndexedSource[]>;
  /** The size of the index file. */
  indexBytes(): Promise<number>;
  embedStatus(scope: EmbedScope): Promise<EmbedStatus>;
  /**
   * Makes the vectors that are missing for the sources of the scope; with `rebuild`, all of them, and drops those of
   * other models. What has been made stays when it fails in the middle.
   */
  embed(
    options: { rebuild: boolean },
    scope: EmbedScope,
    signal: AbortSignal,
    onProgress: (progress: EmbedProgress) => void,
  ): Promise<{ embedded: number }>;
  close(): Promise<void>;
}
