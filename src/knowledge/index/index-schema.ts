/**
 * The index is derived from its sources: a file with an older version is rebuilt, so a change here needs a new version
 * and no migration.
 */
export const INDEX_VERSION = 4;

/** How much a term counts in each field, in the order of the columns of `passage`. */
export const FIELD_WEIGHTS = { title: 2, headings: 1, path: 1, body: 1 } as const;

export const INDEX_SCHEMA: readonly string[] = [
  `CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    location TEXT NOT NULL,
    skipped INTEGER NOT NULL DEFAULT 0,
    last_sync TEXT,
    last_error TEXT,
    checkpoint TEXT,
    UNIQUE (owner, type, name)
  )`,
  `CREATE TABLE item (
    source INTEGER NOT NULL,
    path TEXT NOT NULL,
    fingerprint TEXT,
    content_hash TEXT,
    settings_hash TEXT,
    bytes INTEGER NOT NULL,
    problem TEXT,
    reason TEXT,
    since TEXT,
    PRIMARY KEY (source, path)
  ) WITHOUT ROWID`,
  `CREATE INDEX item_problem ON item (source) WHERE problem IS NOT NULL`,
  // The text is in a separate table, so that lists and filters do not read it.
  `CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    source INTEGER NOT NULL,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    url TEXT,
    mime_type TEXT NOT NULL,
    updated_at TEXT,
    metadata TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    UNIQUE (source, path)
  )`,
  `CREATE INDEX document_url ON document (url) WHERE url IS NOT NULL`,
  `CREATE TABLE document_text (document INTEGER PRIMARY KEY, text TEXT NOT NULL)`,
  `CREATE TABLE chunk (
    id INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    hash BLOB NOT NULL,
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    headings TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (document, ordinal)
  )`,
  `CREATE INDEX chunk_hash ON chunk (hash)`,
  // Holds terms (see text-terms.ts) rather than text, so the tokenizer only splits at spaces.
  `CREATE VIRTUAL TABLE passage USING fts5 (
    title, headings, path, body,
    content = '', contentless_delete = 1, tokenize = "ascii tokenchars '.:/@+#_-'"
  )`,
  // The terms of each chunk, by id, for scoring. Rows are small: a search reads texts only for its results.
  `CREATE TABLE forward (chunk INTEGER PRIMARY KEY, document INTEGER NOT NULL, terms BLOB NOT NULL)`,
  `CREATE TABLE term (
    id INTEGER PRIMARY KEY,
    term TEXT NOT NULL UNIQUE,
    word TEXT NOT NULL,
    chunks INTEGER NOT NULL
  )`,
  `CREATE TABLE total (only INTEGER PRIMARY KEY CHECK (only = 1), chunks INTEGER NOT NULL, length INTEGER NOT NULL)`,
  `INSERT INTO total VALUES (1, 0, 0)`,
  // One row per encoder; its vector table is created with its first vector.
  `CREATE TABLE model (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    dims INTEGER NOT NULL,
    vectors INTEGER NOT NULL DEFAULT 0,
    unrelated REAL,
    measured INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE TABLE embedding_error (fingerprint TEXT PRIMARY KEY, error TEXT NOT NULL)`,
  // Vectors are keyed by text hash, so chunks with equal text share one.
  `CREATE TABLE vector (
    id INTEGER PRIMARY KEY,
    model INTEGER NOT NULL,
    hash BLOB NOT NULL,
    UNIQUE (model, hash)
  )`,
  // Hashes of removed chunks: their vectors are dropped at the end of a sync, unless another chunk has the same text.
  `CREATE TABLE dropped (hash BLOB PRIMARY KEY) WITHOUT ROWID`,
];
