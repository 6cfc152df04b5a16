/** A document after its bytes were understood. */
export interface ExtractedDocument {
  title: string;
  mimeType: string;
  /** What `get` returns and lines are counted in: Markdown for HTML, DOCX and PDF, the text itself otherwise. */
  text: string;
  /** Front matter, and what the connector said. */
  metadata: Record<string, unknown>;
}

/** A piece of a document that is searched and embedded as one. */
export interface Chunk {
  /** The headings above it, outermost first; for code, the declaration it is in. */
  headings: string[];
  body: string;
  tokens: number;
  lineStart: number;
  lineEnd: number;
}
