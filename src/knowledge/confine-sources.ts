import type { SyncEvent } from '../contract/knowledge.ts';
import { expandPath } from '../platform/config/expand-path.ts';
import { isInside, realPath } from '../platform/files/real-path.ts';
import type { ConfiguredSource } from './connector.ts';

/**
 * Those that are where they may be. What an untrusted workspace names lay within its folder when that was last looked
 * at, but a link can be laid since.
 */
export async function confineSources(
  sources: readonly ConfiguredSource[],
  refuse: (event: SyncEvent) => void,
): Promise<ConfiguredSource[]> {
  const kept: ConfiguredSource[] = [];
  for (const source of sources) {
    if (!source.confined || (await isWithin(source))) {
      kept.push(source);
      continue;
    }
    const reason =
      'it leads out of its workspace, which was not approved: `zoo trust` shows it, and approves it';
    refuse({ type: 'problem', source: `${source.type}:${source.name}`, path: null, reason });
  }
  return kept;
}

async function isWithin({ type, folder, config }: ConfiguredSource): Promise<boolean> {
  const place = type === 'filesystem' ? config['root'] : type === 'git' ? config['url'] : null;
  if (typeof place !== 'string') return false;
  return isInside(await realPath(folder), await realPath(expandPath(folder, place)));
}
