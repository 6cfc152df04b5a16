import { ZooError } from '../contract/errors.ts';
import type { EmbedStatus } from '../contract/knowledge.ts';
import type { Knowledge } from './knowledge.ts';

const NO_VECTORS: EmbedStatus = {
  provider: 'disabled',
  model: null,
  dims: null,
  fingerprint: null,
  chunks: 0,
  embedded: 0,
  pending: 0,
  stale: 0,
  last_error: null,
};

/** The room as it is before anything was synced. */
export function createKnowledge(): Knowledge {
  return {
    search: async ({ mode = 'keyword' }) => ({ mode, results: [], notes: [] }),
    get: async ({ id }) => {
      throw new ZooError('document_not_found', `There is no document '${id}'.`, { id });
    },
    match: async () => [],
    complete: async () => [],
    documents: async () => [],
    sources: async () => [],
    async *sync(_options, _scope, signal) {
      signal.throwIfAborted();
      yield* [];
    },
    watch: async () => undefined,
    stats: async () => ({
      documents: 0,
      chunks: 0,
      bytes: 0,
      tokens: 0,
      indexBytes: 0,
      embedding: NO_VECTORS,
      sources: [],
    }),
    embedStatus: async () => NO_VECTORS,
    async *embed(_options, _scope, signal) {
      signal.throwIfAborted();
      yield* [];
    },
    close: async () => undefined,
  };
}
