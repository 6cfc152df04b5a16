import type { DocumentView, EmbedStatus, SearchAnswer } from '../../contract/knowledge.ts';
import { startWorkerThread, type WorkerThread } from '../../platform/processes/worker-thread.ts';
import type { DocumentListing, EmbedProgress, IndexedSource, IndexReader } from './index-reader.ts';
import {
  type FromSearchWorker,
  type SearchRequest,
  type ToSearchWorker,
  unpackError,
} from '../search/search-messages.ts';
import { sourceKey } from '../source-reference.ts';
import { threadLost } from '../sync/thread-lost.ts';

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onProgress: ((progress: EmbedProgress) => void) | undefined;
}

interface Thread {
  ask<T>(
    request: SearchRequest,
    signal?: AbortSignal,
    onProgress?: (progress: EmbedProgress) => void,
  ): Promise<T>;
  close(): Promise<void>;
}

/**
 * Reads the index in two worker threads: one answers searches, the other embeds. They start with the first request
 * and do not keep an idle process alive.
 */
export function createIndexReader({ file }: { file: string }): IndexReader {
  const searching = createThread(file);
  const embedding = createThread(file);
  const sources = () => searching.ask<IndexedSource[]>({ kind: 'sources' });
  return {
    search: (query, scope, signal) => searching.ask<SearchAnswer>({ kind: 'search', query, scope }, signal),
    get: (request, scope, signal) => searching.ask<DocumentView>({ kind: 'get', request, scope }, signal),
    match: (reference, scope, signal) =>
      searching.ask<DocumentView[]>({ kind: 'match', reference, scope }, signal),
    complete: (typed, scope) => searching.ask({ kind: 'complete', typed, scope }),
    documents: (scope, page) => searching.ask<DocumentListing[]>({ kind: 'documents', scope, page }),
    sources: async (scope) => {
      const visible = new Set(scope.sources.map(sourceKey));
      return (await sources()).filter((source) => visible.has(sourceKey(source)));
    },
    allSources: sources,
    indexBytes: () => searching.ask<number>({ kind: 'bytes' }),
    embedStatus: (scope) => searching.ask<EmbedStatus>({ kind: 'status', scope }),
    embed: ({ rebuild }, scope, signal, onProgress) =>
      embedding.ask<{ embedded: number }>({ kind: 'embed', rebuild, scope }, signal, onProgress),
    close: async () => {
      await Promise.all([searching.close(), embedding.close()]);
    },
  };
}

const CLOSED = 'the knowledge index is closed';

function createThread(file: string): Thread {
  const pending = new Map<number, Pending>();
  let worker: WorkerThread<ToSearchWorker> | null = null;
  let sequence = 0;
  let closed = false;

  /** A crashed thread fails its requests; the next request starts another. */
  const start = (): WorkerThread<ToSearchWorker> =>
    startWorkerThread<ToSearchWorker, FromSearchWorker>(
      'search-worker',
      { workerData: file },
      {
        onMessage(reply) {
          const waiting = pending.get(reply.id);
          if ('progress' in reply) return waiting?.onProgress?.(reply.progress);
          pending.delete(reply.id);
          if ('error' in reply) waiting?.reject(unpackError(reply.error));
          else waiting?.resolve(reply.value);
          if (pending.size === 0) worker?.setBusy(false);
        },
        onLost(error) {
          worker = null;
          const exited = closed ? new Error(CLOSED) : threadLost('searches', error?.message ?? null);
          for (const waiting of pending.values()) waiting.reject(exited);
          pending.clear();
        },
      },
    );

  function ask<T>(
    request: SearchRequest,
    signal?: AbortSignal,
    onProgress?: (progress: EmbedProgress) => void,
  ): Promise<T>;
  async function ask(
    request: SearchRequest,
    signal?: AbortSignal,
    onProgress?: (progress: EmbedProgress) => void,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    if (closed) throw new Error(CLOSED);
    const to = (worker ??= start());
    const id = ++sequence;
    let onAbort: (() => void) | undefined;
    try {
      return await new Promise<unknown>((resolve, reject) => {
        pending.set(id, { resolve, reject, onProgress });
        onAbort = () => {
          to.post({ id, abort: true });
          // The caller does not wait for the thread.
          reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        to.setBusy(true);
        to.post({ id, request });
      });
    } finally {
      if (onAbort) signal?.removeEventListener('abort', onAbort);
    }
  }

  return {
    ask,
    close: async () => {
      closed = true;
      await worker?.finish('close');
    },
  };
}
