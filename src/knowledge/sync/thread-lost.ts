import { ZooError } from '../../contract/errors.ts';

/** What those are told who waited for a thread that is no more. The next one to ask starts another. */
export function threadLost(what: 'searches' | 'syncs', reason: string | null): ZooError {
  const why = reason === null ? '' : ` (${reason})`;
  const kept = what === 'syncs' ? ' What was synced before is kept.' : '';
  return new ZooError(
    'tool_error',
    `The thread that ${what} the knowledge base has ended unexpectedly${why}.${kept} Try again: another one is started.`,
  );
}
