import {
  A2AError,
  RequestMalformedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { type ErrorCode, ZooError } from '../../contract/errors.ts';

/** Converts an expected failure to an error of the protocol; anything else is returned unchanged. */
export function toA2AError(error: unknown): unknown {
  if (!(error instanceof ZooError)) return error;
  const { code, message } = error;
  if (code === 'run_not_found') return new TaskNotFoundError(message);
  if (code === 'conflict') return new UnsupportedOperationError(message);
  if (MALFORMED.has(code)) return new RequestMalformedError(message);
  return new A2AError(`${message} (${code})`);
}

const MALFORMED: ReadonlySet<ErrorCode> = new Set([
  'chat_not_found',
  'invalid_arguments',
  'invalid_format',
  'too_large',
]);

/** A bug is logged with its stack and answered without it. */
export function hideUnexpected(error: unknown, log: (error: unknown) => void): unknown {
  if (error instanceof A2AError) return error;
  log(error);
  return new A2AError('Internal error.');
}
