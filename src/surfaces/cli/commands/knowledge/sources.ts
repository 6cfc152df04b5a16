import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderSources, renderStats } from '../../render/sources.ts';
import { withClient } from '../../hub-access/with-client.ts';

const example = 'Add one: zoo sources add docs';

export async function listSources(call: Invocation): Promise<void> {
  const { sources } = await withClient(call, (client) => client.call('listSources', {}));
  print(call, { sources }, () => renderSources(sources, call));
  if (call.json) return;
  if (sources.length === 0) say(call, `No sources. ${example}`);
  else if (sources.some((source) => source.configured && source.last_sync === null && !source.syncing))
    say(call, '\n`zoo sync` syncs what has not been synced yet.');
}

export async function showStats(call: Invocation): Promise<void> {
  const stats = await withClient(call, (client) => client.call('knowledgeStats', {}));
  print(call, stats, () => renderStats(stats, call));
}
