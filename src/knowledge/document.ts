export interface ExtractedDocument {
  title: string;
  mimeType: string;
  /** The text that `get` returns and line numbers refer to: Markdown for HTML, DOCX and PDF, otherwise the original. */
  text: string;
  /** From front matter and the connector. */
  metadata: Record<string, unknown>;
}

/** A part of a document that is searched and embedded as a unit. */
export interface Chunk {
  /** The headings above it, outermost first; for code, the declaration it is in. */
  headings: string[];
  body: string;
  tokens: number;
  lineStart: number;
  lineEnd: number;
}
