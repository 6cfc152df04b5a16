import type { ZooError } from '../../contract/errors.ts';
import type { Run } from '../../contract/run.ts';
import { endReasonOf } from '../loop/end-reason.ts';
import type { RunnerOptions } from '../runner-options.ts';
import {
  endOrphan,
  isOver,
  releaseAfterFailure,
  type RunLauncher,
  type RunLauncherParts,
} from './run-launcher.ts';

type CancelParts = Pick<RunnerOptions, 'live'> &
  Pick<RunLauncherParts, 'store' | 'ownership' | 'questions' | 'turnEnded'>;

/** Stops a run of this process and waits for it, ends an orphaned one, or asks the process that owns it. */
export async function cancelRun(
  { id }: Pick<Run, 'id'>,
  parts: CancelParts,
  launcher: Pick<RunLauncher, 'settled'>,
  why?: ZooError,
): Promise<void> {
  const { store, live, ownership, turnEnded } = parts;
  await store.requestCancel(id);
  if (live.cancel(id, why)) return launcher.settled(id);
  const lease = await ownership.claim(id);
  if (!lease) return;
  await releaseAfterFailure(ownership, lease, async () => {
    const run = await store.read(id);
    const { request, summary } = run;
    // It ended by itself in the meantime.
    if (isOver(summary.state) && summary.state !== 'interrupted') return ownership.release(lease, true);
    await endOrphan(lease, run, parts, {
      reason: why ? endReasonOf(why) : 'cancelled',
      error: why ? { code: why.code, message: why.message } : null,
    });
    if (request.chat) await turnEnded(request);
  });
}
