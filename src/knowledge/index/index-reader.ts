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

/** The fields that identify a source, also in the index. */
export type SourceKey = Pick<ConfiguredSource, 'owner' | 'type' | 'name'>;

/** The sources that a caller may see, restricted to those its agent is bound to. */
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

/** The stored state of a source; the hub adds whether it is configured or syncing. */
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
 * The reading side of the index, in worker threads. A missing index reads as an empty one. Documents outside of the
 * scope are treated as missing.
 */
export interface IndexReader {
  search(query: SearchQuery, scope: SearchScope, signal: AbortSignal): Promise<SearchAnswer>;
  /** Throws `document_not_found` with suggestions. */
  get(request: DocumentRequest, scope: ReaderScope, signal: AbortSignal): Promise<DocumentView>;
  /** The documents behind a path, a glob, a URL or an id, in order of path. */
  match(reference: string, scope: ReaderScope, signal: AbortSignal): Promise<DocumentView[]>;
  complete(typed: string, scope: ReaderScope): Promise<{ id: string; title: string; path: string }[]>;
  /** Sorted by id; `after` is the last id of the previous page. */
  documents(scope: ReaderScope, page: { after: string | null; limit: number }): Promise<DocumentListing[]>;
  /** The sources of the scope that have been synced at least once. */
  sources(scope: ReaderScope): Promise<IndexedSource[]>;
  /** Every source in the index, for cleaning up. */
  allSources(): Promise<IndexedSource[]>;
  /** The size of the index file. */
  indexBytes(): Promise<number>;
  embedStatus(scope: EmbedScope): Promise<EmbedStatus>;
  /**
   * Embeds chunks without vectors in the sources of the scope; with `rebuild`, all chunks, and drops the vectors of
   * other models. If it fails halfway, the vectors made so far are kept.
   */
  embed(
    options: { rebuild: boolean },
    scope: EmbedScope,
    signal: AbortSignal,
    onProgress: (progress: EmbedProgress) => void,
  ): Promise<{ embedded: number }>;
  close(): Promise<void>;
}
