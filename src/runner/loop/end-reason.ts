import { ZooError } from '../../contract/errors.ts';
import { EndReason } from '../../contract/run.ts';

/** The end reason of a run that failed with this error: `details.reason`, if the runner has set it. */
export function endReasonOf(error: unknown): EndReason {
  if (!(error instanceof ZooError)) return 'error';
  const known = EndReason.safeParse(error.details?.reason);
  return known.data ?? (error.code === 'budget_exceeded' ? 'budget' : 'error');
}
