import type { Run } from '../../contract/run.ts';
import type { RunnerOptions } from '../runner-options.ts';
import type { RunLauncher } from './run-launcher.ts';

/** Stops a run of this process and waits for it, ends an orphaned one, or asks the process that owns it. */
export async function cancelRun(
  { id, text, usage, steps }: Run,
  { store, live, ownership, turnEnded }: RunnerOptions,
  launcher: RunLauncher,
): Promise<void> {
  await store.requestCancel(id);
  if (live.cancel(id)) return launcher.settled(id);
  const lease = await ownership.claim(id);
  if (!lease) return;
  await store.ended(lease, { state: 'cancelled', text, usage, steps, error: null });
  await ownership.release(lease, true);
  const { request } = await store.read(id);
  if (request.chat) await turnEnded(request);
}
