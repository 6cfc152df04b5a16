import {
  A2AError,
  RequestMalformedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { ZooError } from '../../contract/errors.ts';

/** An expected failure in the words of the protocol; everything else is returned as it is. */
export function toA2AError(error: unknown): unknown {
  if (!(error instanceof ZooError)) return error;
  const { code, message } = error;
  switch (code) {
    case 'run_not_found':
      return new TaskNotFoundError(message);
    case 'conflict':
      return new UnsupportedOperationError(message);
    case 'chat_not_found':
    case 'invalid_arguments':
    case 'invalid_format':
    case 'too_large':
      return new RequestMalformedError(message);
    default:
      return new A2AError(`${message} (${code})`);
  }
}

/** A bug is logged with its stack and answered without it. */
export function hideUnexpected(error: unknown, log: (error: unknown) => void): unknown {
  if (error instanceof A2AError) return error;
  log(error);
  return new A2AError('Internal error.');
}
