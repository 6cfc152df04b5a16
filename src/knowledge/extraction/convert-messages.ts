import type { ConvertedDocument, ConvertedKind } from './converted-document.ts';

/** Memory limits for converting one document. */
export const CONVERT_LIMITS = {
  /** Of the whole process. */
  rssBytes: 768 * 1024 * 1024,
  /** Of its JavaScript heap. */
  heapMegabytes: 512,
  /** A process that holds more than this after a document is replaced. */
  keptRssBytes: 384 * 1024 * 1024,
  timeoutMs: 120_000,
  checkEveryMs: 20,
};

export interface ConvertRequest {
  kind: ConvertedKind;
  content: Uint8Array | string;
}

export type ConvertResponse = ({ document: ConvertedDocument } | { error: string }) & { rss: number };
