import { ZooError } from '../../contract/errors.ts';

/** The error for callers of a worker thread that ended. The next call starts a new one. */
export function threadLost(what: 'searches' | 'syncs', reason: string | null): ZooError {
  const why = reason === null ? '' : ` (${reason})`;
  const kept = what === 'syncs' ? ' Completed work is kept.' : '';
  return new ZooError(
    'tool_error',
    `The thread that ${what} the knowledge base exited unexpectedly${why}.${kept} Try again.`,
  );
}
