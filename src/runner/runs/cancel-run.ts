import type { ZooError } from '../../contract/errors.ts';
import type { Run } from '../../contract/run.ts';
import { endReasonOf } from '../loop/end-reason.ts';
import type { Questions } from '../../platform/store/questions.ts';
import type { RunnerOptions } from '../runner-options.ts';
import { isOver, type RunLauncher } from './run-launcher.ts';

/** Stops a run of this process and waits for it, ends an orphaned one, or asks the process that owns it. */
export async function cancelRun(
  { id, text, usage, steps }: Run,
  {
    store,
    live,
    ownership,
    questions,
    turnEnded,
  }: Pick<RunnerOptions, 'store' | 'live' | 'ownership' | 'turnEnded'> & {
    questions: Pick<Questions, 'withdraw'>;
  },
  launcher: Pick<RunLauncher, 'settled'>,
  why?: ZooError,
): Promise<void> {
  await store.requestCancel(id);
  if (live.cancel(id, why)) return launcher.settled(id);
  const lease = await ownership.claim(id);
  if (!lease) return;
  const { request, summary } = await store.read(id);
  // It ended by itself in the meantime.
  if (isOver(summary.state) && summary.state !== 'interrupted') return ownership.release(lease, true);
  await questions.withdraw({ kind: 'run', id });
  const error = why ? { code: why.code, message: why.message } : null;
  const reason = why ? endReasonOf(why) : 'cancelled';
  await store.ended(lease, { state: 'cancelled', reason, text, usage, steps, error });
  await ownership.release(lease, true);
  if (request.chat) await turnEnded(request);
}
