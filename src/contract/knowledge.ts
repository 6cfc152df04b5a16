import * as z from 'zod';

export const SearchMode = z.enum(['keyword', 'semantic', 'hybrid']);
export type SearchMode = z.infer<typeof SearchMode>;

/** What narrows a search down. Applied before the best are chosen, so a small source finds its own best. */
export const SearchFilters = z.strictObject({
  /** `TYPE:NAME`, a name, or a type; one of several. */
  source: z.union([z.string(), z.array(z.string())]).optional(),
  /** A glob over paths within their source; without a slash, over names at any depth. */
  path: z.string().optional(),
  /** Documents that changed on or after, on or before: a day, month or year, an instant, or so long ago (`7d`). */
  since: z.string().optional(),
  until: z.string().optional(),
  /** Front matter and what connectors say: all of these must be so. */
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
  /** `DOCUMENT#ORDINAL`: `get` takes it. */
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

/** How a hit came to its place. */
export const Explanation = z.strictObject({
  /** 1 is the best; null where it was not among the candidates. */
  keywordRank: z.int().nullable(),
  keywordScore: z.number().nullable(),
  vectorRank: z.int().nullable(),
  vectorScore: z.number().nullable(),
  /** Which words of the question it has, as they are indexed. */
  matched: z.array(z.string()),
});

/** One document, with its best passages. */
export const SearchHit = z.strictObject({
  id: z.string(),
  title: z.string(),
  headings: z.array(z.string()),
  snippet: z.string(),
  /** Orders the hits of one answer, and means nothing beyond it. */
  score: z.number(),
  /** 0 to 1, and means the same from query to query. */
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
  /** What was searched with; it differs from what was asked for where there are no vectors. */
  mode: SearchMode,
  results: z.array(SearchHit),
  /** What the caller should know: a word that was read as another, a mode that was not possible. */
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

/** The whole, unless it says lines (both ends count) or a chunk and how many neighbours on each side. */
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

/** A configured place that documents come from, or one whose documents are still there though it is not configured. */
export const KnowledgeSource = z.strictObject({
  /** `TYPE:NAME`. */
  id: z.string(),
  type: ConnectorType,
  name: z.string(),
  /** Where it reads from, without secrets. */
  location: z.string(),
  /** False while its workspace is not trusted, or where its config is gone. */
  configured: z.boolean(),
  /** Whether its last sync reached the end without an error of the source itself. */
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
  /** Reads every document again, whatever the manifest says. */
  full: z.boolean().optional(),
  dry_run: z.boolean().optional(),
  /** An event for every document that changes, as a dry run has anyway; otherwise they are only counted. */
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

/** What a sync says while it goes: `progress` as often as it changes, `done` once a source, `end` once. */
export const SyncEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), sources: z.array(z.string()), dryRun: z.boolean() }),
  z.strictObject({
    type: z.literal('progress'),
    source: z.string(),
    phase: z.enum(['scan', 'index', 'embed']),
    documents: z.int().min(0),
    /** Null until the scan has counted them. */
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
    /** Where it was before, if it moved. */
    from: z.string().optional(),
  }),
  /** Left out on purpose, whatever it is: told in a dry run, and otherwise only counted. */
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
  /** The config no longer has this source, so its documents have left the index. */
  z.strictObject({ type: z.literal('removed'), source: z.string(), documents: z.int().min(0) }),
  z.strictObject({ type: z.literal('end'), ok: z.boolean(), counts: SyncCounts, tookMs: z.number().min(0) }),
]);
export type SyncEvent = z.infer<typeof SyncEvent>;

export const EmbedStatus = z.strictObject({
  provider: z.string(),
  model: z.string().nullable(),
  dims: z.int().nullable(),
  /** Of the model that vectors are made with now; vectors of another never mix with them. */
  fingerprint: z.string().nullable(),
  chunks: z.int().min(0),
  embedded: z.int().min(0),
  pending: z.int().min(0),
  /** Vectors of other models, which a rebuild drops. */
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
