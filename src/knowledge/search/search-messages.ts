import type { ErrorCode, ErrorDetails } from '../../contract/errors.ts';
import { ZooError } from '../../contract/errors.ts';
import type { DocumentRequest, SearchQuery } from '../../contract/knowledge.ts';
import type { EmbedProgress, EmbedScope, ReaderScope, SearchScope } from '../index/index-reader.ts';
import { messageOf } from '../../platform/text/error-message.ts';

/** A request to a thread of the index. */
export type SearchRequest =
  | { kind: 'search'; query: SearchQuery; scope: SearchScope }
  | { kind: 'get'; request: DocumentRequest; scope: ReaderScope }
  | { kind: 'match'; reference: string; scope: ReaderScope }
  | { kind: 'complete'; typed: string; scope: ReaderScope }
  | { kind: 'documents'; scope: ReaderScope; page: { after: string | null; limit: number } }
  | { kind: 'sources' }
  | { kind: 'bytes' }
  | { kind: 'status'; scope: EmbedScope }
  | { kind: 'embed'; scope: EmbedScope; rebuild: boolean };

/** An abort names the request to cancel. */
export type ToSearchWorker = { id: number; request: SearchRequest } | { id: number; abort: true } | 'close';

export type FromSearchWorker =
  { id: number; value: unknown } | { id: number; error: SentError } | { id: number; progress: EmbedProgress };

/** Errors lose their class between threads. */
export interface SentError {
  message: string;
  code: ErrorCode | null;
  details: ErrorDetails | undefined;
}

export function packError(error: unknown): SentError {
  if (error instanceof ZooError) return { message: error.message, code: error.code, details: error.details };
  return { message: messageOf(error), code: null, details: undefined };
}

export const unpackError = ({ message, code, details }: SentError): Error =>
  code === null ? new Error(message) : new ZooError(code, message, details);
