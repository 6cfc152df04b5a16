import * as z from 'zod';
import {
  DocumentSummary,
  DocumentView,
  EmbedStatus,
  KnowledgeSource,
  KnowledgeStats,
  SearchAnswer,
  SearchQuery,
  SyncEvent,
  SyncOptions,
} from '../knowledge.ts';
import type { Operation } from '../table/operation.ts';

const tag = 'knowledge';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;
const line = z.int().min(1).optional();

export const operations = {
  searchKnowledge: {
    ...unary,
    summary: 'Search the documents that the caller can see',
    method: 'POST',
    path: '/api/knowledge/search',
    body: SearchQuery,
    output: SearchAnswer,
    status: 200,
    errors: ['invalid_arguments'],
  },
  listDocuments: {
    ...read,
    summary: 'List documents in pages; pass `next` of one page as `after` for the following one',
    path: '/api/knowledge/documents',
    query: z.object({
      source: z.string().optional(),
      after: z.string().optional(),
      limit: z.int().min(1).max(1000).optional(),
    }),
    output: z.strictObject({ documents: z.array(DocumentSummary), next: z.string().nullable() }),
    errors: ['invalid_arguments'],
  },
  getDocument: {
    ...read,
    summary: 'Get a document, a range of its lines, or a passage with its neighbours',
    path: '/api/knowledge/documents/{id}',
    params: z.object({ id: z.string() }),
    query: z.object({ line_start: line, line_end: line, neighbours: z.int().min(0).max(50).optional() }),
    output: DocumentView,
    errors: ['document_not_found', 'invalid_arguments'],
  },
  listSources: {
    ...read,
    summary: 'List the knowledge sources that the caller can see, and their state',
    path: '/api/knowledge/sources',
    output: z.strictObject({ sources: z.array(KnowledgeSource) }),
    errors: [],
  },
  knowledgeStats: {
    ...read,
    summary: 'Count documents, passages and vectors, by source',
    path: '/api/knowledge/stats',
    output: KnowledgeStats,
    errors: [],
  },
  syncKnowledge: {
    kind: 'stream',
    ends: true,
    tag,
    summary:
      'Sync sources, and report progress as events. The sync stops when the connection closes, unless `background` is set; with `watch`, it continues with each change until then',
    method: 'POST',
    path: '/api/knowledge/sync',
    access: 'operator',
    body: SyncOptions.extend({ background: z.boolean().optional(), watch: z.boolean().optional() }),
    bodyOptional: true,
    output: SyncEvent,
    status: 200,
    errors: ['invalid_arguments', 'conflict', 'untrusted'],
  },
  embedStatus: {
    ...read,
    summary: 'Get the embedding model, and how many passages have vectors',
    path: '/api/knowledge/embedding',
    output: EmbedStatus,
    errors: [],
  },
  rebuildEmbedding: {
    kind: 'stream',
    ends: true,
    tag,
    summary: 'Compute missing vectors, or rebuild all of them, and report progress as events',
    method: 'POST',
    path: '/api/knowledge/embedding/rebuild',
    access: 'operator',
    body: z.strictObject({
      /** Rebuild all of them, not only missing ones. */
      all: z.boolean().optional(),
      background: z.boolean().optional(),
    }),
    bodyOptional: true,
    output: SyncEvent,
    status: 200,
    errors: ['invalid_arguments', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
