export type ConvertedKind = 'html' | 'pdf' | 'docx';

export interface ConvertedDocument {
  title: string | null;
  description: string | null;
  markdown: string;
}

/** Converts a document to Markdown. Rejects with a reason that completes "could not be read as PDF: …". */
export type ConvertDocument = (
  kind: ConvertedKind,
  content: Uint8Array | string,
  signal: AbortSignal,
) => Promise<ConvertedDocument>;
