import { statSync } from 'node:fs';
import type { SearchAnswer } from '../../contract/knowledge.ts';
import { ZooError } from '../../contract/errors.ts';
import { embedChunks, readEmbedStatus } from '../embedding/embed-chunks.ts';
import { encoderOf } from '../embedding/embed-texts.ts';
import { EmbeddingFailure } from '../embedding/embedding-failure.ts';
import { createReleaseClosed } from '../../platform/store/release-closed.ts';
import type { IndexConnection } from './index-connection.ts';
import { isDamaged } from './index-errors.ts';
import { openIndexForReading, openIndexForWriting, reportDamage } from './index-file.ts';
import type { EmbedProgress, EmbedScope } from './index-reader.ts';
import { completeDocuments } from './find-document.ts';
import { getDocument, listDocuments, matchDocuments } from './read-documents.ts';
import { readSources } from './read-sources.ts';
import { createQueryEmbedder } from '../search/query-embedder.ts';
import { searchIndex } from '../search/search-index.ts';
import type { SearchRequest } from '../search/search-messages.ts';

const release = createReleaseClosed();

/** Answers requests in one thread, on its own connection. Requests may arrive while others wait for an encoder. */
export interface IndexThread {
  answer(
    request: SearchRequest,
    signal: AbortSignal,
    onProgress: (progress: EmbedProgress) => void,
  ): Promise<unknown>;
  close(): void;
}

type SearchOne = Extract<SearchRequest, { kind: 'search' }>;

interface OpenFile {
  connection: IndexConnection;
  inode: number;
  /** The number of running searches. */
  searches: number;
}

export function createIndexThread(file: string): IndexThread {
  let open: OpenFile | null = null;
  const queries = createQueryEmbedder();

  /** Reopened when a sync has replaced a damaged file. */
  function reading(): OpenFile | null {
    const inode = statSync(file, { throwIfNoEntry: false })?.ino;
    if (open && open.inode === inode) return open;
    letGo();
    const connection = inode === undefined ? null : openIndexForReading(file);
    if (connection && inode !== undefined) open = { connection, inode, searches: 0 };
    return open;
  }

  /** The last running search closes the connection. */
  function letGo(): void {
    if (open?.searches === 0) open.connection.close();
    open = null;
  }

  async function search({ query, scope }: SearchOne, signal: AbortSignal): Promise<SearchAnswer> {
    const at = reading();
    if (!at) return { mode: 'keyword', results: [], notes: ['Nothing has been synced yet: run `zoo sync`.'] };
    at.searches++;
    try {
      return await searchIndex(at.connection, query, scope, {
        embedQuery: (text, wanted) => queries.embed(at.connection, scope.embedding, { text, wanted }, signal),
      });
    } finally {
      at.searches--;
      if (at !== open && at.searches === 0) at.connection.close();
    }
  }

  async function answer(
    request: SearchRequest,
    signal: AbortSignal,
    onProgress: (progress: EmbedProgress) => void,
  ): Promise<unknown> {
    if (request.kind === 'embed') return embed(file, request.scope, request.rebuild, signal, onProgress);
    if (request.kind === 'search') return search(request, signal);
    return read(file, reading()?.connection ?? null, request);
  }

  return {
    async answer(request, signal, onProgress) {
      try {
        return await answer(request, signal, onProgress);
      } catch (error) {
        if (isDamaged(error)) reportDamage(file);
        throw error;
      }
    },
    close: letGo,
  };
}

async function embed(
  file: string,
  scope: EmbedScope,
  rebuild: boolean,
  signal: AbortSignal,
  onProgress: (progress: EmbedProgress) => void,
): Promise<{ embedded: number }> {
  const encoder = encoderOf(scope.embedding);
  if (!encoder) {
    throw new ZooError(
      'invalid_arguments',
      'no embedding provider is configured: set [embedding] provider to "openai", "ollama" or "local"',
    );
  }
  release.busy();
  const connection = openIndexForWriting(file);
  try {
    return await embedChunks({ connection, encoder, scope, rebuild, signal, onProgress });
  } catch (error) {
    throw error instanceof EmbeddingFailure ? new ZooError('tool_error', error.message) : error;
  } finally {
    connection.close();
    release.closed();
  }
}

function read(
  file: string,
  connection: IndexConnection | null,
  request: Exclude<SearchRequest, { kind: 'search' | 'embed' }>,
): unknown {
  if (request.kind === 'bytes') {
    return ['', '-wal'].reduce(
      (sum, suffix) => sum + (statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }
  if (request.kind === 'status') return readEmbedStatus(connection, request.scope.embedding, request.scope);
  if (!connection) {
    if (request.kind !== 'get') return [];
    throw new ZooError(
      'document_not_found',
      `document ${JSON.stringify(request.request.id)} not found: nothing has been synced yet`,
    );
  }
  if (request.kind === 'get') return getDocument(connection, request.request, request.scope);
  if (request.kind === 'match') return matchDocuments(connection, request.reference, request.scope);
  if (request.kind === 'complete') return completeDocuments(connection, request.typed, request.scope);
  if (request.kind === 'documents') return listDocuments(connection, request.scope, request.page);
  return readSources(connection);
}
