import type { Invocation } from '../../invocation.ts';
import { showSync } from '../../output/show-sync.ts';

export interface SyncCommandOptions {
  full?: true;
  dryRun?: true;
  watch?: true;
  changes?: true;
}

export async function syncSources(
  call: Invocation,
  what: string | undefined,
  { full, dryRun, watch, changes }: SyncCommandOptions,
): Promise<void> {
  const body = {
    ...(what === undefined ? {} : { what }),
    ...(full ? { full } : {}),
    ...(dryRun ? { dry_run: true } : {}),
    ...(watch ? { watch } : {}),
    ...(changes || watch ? { changes: true } : {}),
  };
  await showSync(call, (client, signal) => client.stream('syncKnowledge', { body }, signal), watch);
}
