import * as z from 'zod';

export const SearchMode = z.enum(['keyword', 'semantic', 'hybrid']);
export type SearchMode = z.infer<typeof SearchMode>;

/** Filters, applied before ranking so that small sources keep their best results. */
export const SearchFilters = z.strictObject({
  /** `TYPE:NAME`, a name, or a type; a list matches any. */
  source: z.union([z.string(), z.array(z.string())]).optional(),
  /** A glob over paths within their source; without a slash, over names at any depth. */
  path: z.string().optional(),
  /** Documents changed on or after, on or before: a day, month or year, a timestamp, or an age (`7d`). */
  since: z.string().optional(),
  until: z.string().optional(),
  /** Front matter and connector metadata; all of them must match. */
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});
export type SearchFilters = z.infer<typeof SearchFilters>;

export const SearchQuery = z.strictObject({
  query: z.string().max(10_000),
  mode: SearchMode.optional(),
  limit: z.int().min(1).max(100).optional(),
  filters: SearchFilters.optional(),
  explain: z.boolean().optional(),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const Passage = z.strictObject({
  /** `DOCUMENT#ORDINAL`, for `get`. */
  id: z.string(),
  /** The headings above it, outermost first. */
  headings: z.array(z.string()),
  /** The match marked with `**`. */
  snippet: z.string(),
  score: z.number(),
  lineStart: z.int().min(1),
  lineEnd: z.int().min(1),
});
export type Passage = z.infer<typeof Passage>;

/** Explains the rank of a hit. */
export const Explanation = z.strictObject({
  /** 1 is the best; null if it was not a candidate. */
  keywordRank: z.int().nullable(),
  keywordScore: z.number().nullable(),
  vectorRank: z.int().nullable(),
  vectorScore: z.number().nullable(),
  /** The query terms that it matches, in indexed form. */
  matched: z.array(z.string()),
});

/** One document, with its best passages. */
export const SearchHit = z.strictObject({
  id: z.string(),
  title: z.string(),
  headings: z.array(z.string()),
  snippet: z.string(),
  /** Orders the hits of one search; not comparable between searches. */
  score: z.number(),
  /** 0 to 1, comparable between queries. */
  relevance: z.number().min(0).max(1),
  /** `TYPE:NAME`. */
  source: z.string(),
  path: z.string(),
  url: z.string().nullable(),
  updated_at: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  passages: z.array(Passage),
  explain: Explanation.optional(),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchAnswer = z.strictObject({
  /** The mode that was used; may differ from the requested one if there are no vectors. */
  mode: SearchMode,
  results: z.array(SearchHit),
  /** Notes for the caller, such as a corrected word or an unavailable mode. */
  notes: z.array(z.string()),
  explain: z
    .strictObject({
      terms: z.array(z.string()),
      expanded: z.array(z.strictObject({ term: z.string(), weight: z.number() })),
      corrected: z.record(z.string(), z.string()),
      vectorWeight: z.number().nullable(),
      candidates: z.int().min(0),
      tookMs: z.number(),
    })
    .optional(),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;

/** The whole document, a range of lines (inclusive), or a chunk with neighbours on each side. */
export const DocumentRequest = z.strictObject({
  /** A document's id, or `DOCUMENT#ORDINAL` for one chunk of it. */
  id: z.string().min(1),
  line_start: z.int().min(1).optional(),
  line_end: z.int().min(1).optional(),
  neighbours: z.int().min(0).max(50).optional(),
});
export type DocumentRequest = z.infer<typeof DocumentRequest>;

export const DocumentView = z.strictObject({
  id: z.string(),
  title: z.string(),
  source: z.string(),
  path: z.string(),
  url: z.string().nullable(),
  mime_type: z.string(),
  updated_at: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  body: z.string(),
  line_start: z.int().min(1),
  line_end: z.int().min(0),
  /** Of the whole document. */
  lines: z.int().min(0),
  tokens: z.int().min(0),
  chunks: z.array(
    z.strictObject({ id: z.string(), headings: z.array(z.string()), lineStart: z.int(), lineEnd: z.int() }),
  ),
});
export type DocumentView = z.infer<typeof DocumentView>;

/** A row of the list of documents. */
export const DocumentSummary = z.strictObject({
  id: z.string(),
  title: z.string(),
  source: z.string(),
  path: z.string(),
  mime_type: z.string(),
});
export type DocumentSummary = z.infer<typeof DocumentSummary>;

export const ConnectorType = z.enum(['filesystem', 'git', 'web', 'script']);
export type ConnectorType = z.infer<typeof ConnectorType>;

export const SourceFailure = z.strictObject({ path: z.string(), reason: z.string(), since: z.string() });

/** A configured source, or a removed one whose documents are still in the index. */
export const KnowledgeSource = z.strictObject({
  /** `TYPE:NAME`. */
  id: z.string(),
  type: ConnectorType,
  name: z.string(),
  /** Where it reads from, without secrets. */
  location: z.string(),
  /** False while its workspace is not trusted, or if it is no longer configured. */
  configured: z.boolean(),
  /** Whether its last sync finished without a source error. */
  healthy: z.boolean(),
  documents: z.int().min(0),
  chunks: z.int().min(0),
  bytes: z.int().min(0),
  tokens: z.int().min(0),
  skipped: z.int().min(0),
  failed: z.array(SourceFailure),
  last_sync: z.string().nullable(),
  last_error: z.string().nullable(),
  syncing: z.boolean(),
});
export type KnowledgeSource = z.infer<typeof KnowledgeSource>;

export const SyncOptions = z.strictObject({
  /** `all`, `TYPE` or `TYPE:NAME`. */
  what: z.string().optional(),
  /** Re-reads every document, ignoring the manifest. */
  full: z.boolean().optional(),
  dry_run: z.boolean().optional(),
  /** Emits an event for every changed document; a dry run always does. Otherwise they are only counted. */
  changes: z.boolean().optional(),
});
export type SyncOptions = z.infer<typeof SyncOptions>;

export const SyncCounts = z.strictObject({
  scanned: z.int().min(0),
  added: z.int().min(0),
  changed: z.int().min(0),
  moved: z.int().min(0),
  deleted: z.int().min(0),
  unchanged: z.int().min(0),
  skipped: z.int().min(0),
  failed: z.int().min(0),
  bytes: z.int().min(0),
  chunks: z.int().min(0),
  embedded: z.int().min(0),
});
export type SyncCounts = z.infer<typeof SyncCounts>;

/** Events of a sync: `progress` on each change, `done` once per source, `end` once. */
export const SyncEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), sources: z.array(z.string()), dryRun: z.boolean() }),
  z.strictObject({
    type: z.literal('progress'),
    source: z.string(),
    phase: z.enum(['scan', 'index', 'embed']),
    documents: z.int().min(0),
    /** Null until the scan has finished counting. */
    totalDocuments: z.int().min(0).nullable(),
    bytes: z.int().min(0),
    totalBytes: z.int().min(0).nullable(),
    elapsedMs: z.number().min(0),
    remainingMs: z.number().min(0).nullable(),
  }),
  z.strictObject({
    type: z.literal('problem'),
    source: z.string(),
    path: z.string().nullable(),
    reason: z.string(),
  }),
  z.strictObject({
    type: z.literal('change'),
    source: z.string(),
    path: z.string(),
    change: z.enum(['added', 'changed', 'moved', 'deleted']),
    /** Its previous path, if it moved. */
    from: z.string().optional(),
  }),
  /** Skipped by design: listed in a dry run, otherwise only counted. */
  z.strictObject({
    type: z.literal('skip'),
    source: z.string(),
    path: z.string(),
    reason: z.string(),
  }),
  z.strictObject({
    type: z.literal('done'),
    source: z.string(),
    ok: z.boolean(),
    error: z.string().nullable(),
    counts: SyncCounts,
    tookMs: z.number().min(0),
  }),
  /** The source is no longer in the config, so its documents were removed. */
  z.strictObject({ type: z.literal('removed'), source: z.string(), documents: z.int().min(0) }),
  z.strictObject({ type: z.literal('end'), ok: z.boolean(), counts: SyncCounts, tookMs: z.number().min(0) }),
]);
export type SyncEvent = z.infer<typeof SyncEvent>;

export const EmbedStatus = z.strictObject({
  provider: z.string(),
  model: z.string().nullable(),
  dims: z.int().nullable(),
  /** For the current model; vectors of different models are never mixed. */
  fingerprint: z.string().nullable(),
  chunks: z.int().min(0),
  embedded: z.int().min(0),
  pending: z.int().min(0),
  /** Vectors of other models; a rebuild deletes them. */
  stale: z.int().min(0),
  last_error: z.string().nullable(),
});
export type EmbedStatus = z.infer<typeof EmbedStatus>;

export const KnowledgeStats = z.strictObject({
  documents: z.int().min(0),
  chunks: z.int().min(0),
  bytes: z.int().min(0),
  tokens: z.int().min(0),
  indexBytes: z.int().min(0),
  embedding: EmbedStatus,
  sources: z.array(KnowledgeSource),
});
export type KnowledgeStats = z.infer<typeof KnowledgeStats>;
