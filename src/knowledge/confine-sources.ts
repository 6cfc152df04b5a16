import type { SyncEvent } from '../contract/knowledge.ts';
import { expandPath } from '../platform/config/expand-path.ts';
import { isInside, realPath } from '../platform/files/real-path.ts';
import type { ConfiguredSource } from './connector.ts';

/**
 * Drops sources that lie outside of their workspace without approval. They were inside when the config was read, but a
 * link can have been created since.
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
    const reason = 'it is outside of its workspace, which was not approved. Review it with `zoo trust`';
    refuse({ type: 'problem', source: `${source.type}:${source.name}`, path: null, reason });
  }
  return kept;
}

async function isWithin({ type, folder, config }: ConfiguredSource): Promise<boolean> {
  const place = type === 'filesystem' ? config['root'] : type === 'git' ? config['url'] : null;
  if (typeof place !== 'string') return false;
  return isInside(await realPath(folder), await realPath(expandPath(folder, place)));
}
