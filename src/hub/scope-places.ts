import type { AgentSummary } from '../contract/agent.ts';
import type { View } from './views.ts';

export interface Place {
  file: string | null;
  line: number | null;
}

/** Where a group, or one of its entries, is written: in the config that its owner's agents mean. */
export function groupPlace(
  view: View,
  owner: string | null,
  group: string,
  index: number | null,
): Place & { workspace: string | null } {
  const layers = owner === null ? view.layers.toReversed() : view.layers;
  const layer = layers.find((each) => Object.hasOwn(each.current().config.config.tools?.groups ?? {}, group));
  if (!layer) return { file: null, line: null, workspace: null };
  const { config } = layer.current();
  const path = ['tools', 'groups', group, ...(index === null ? [] : [index])];
  return { file: config.file, line: config.lineOf(path), workspace: layer.owner };
}

/** The line of an entry of an agent's `tools` in a config; null for agents from elsewhere. */
export function toolsEntryLine(
  view: View,
  { id, source, origin }: Pick<AgentSummary, 'id' | 'source' | 'origin'>,
  index: number,
): number | null {
  if (source !== 'toml' || !origin) return null;
  const config = view.layers.map((layer) => layer.current().config).find(({ file }) => file === origin.path);
  if (!config) return null;
  const tables = config.config.agents;
  const path = tables && Object.hasOwn(tables, id) ? ['agents', id] : ['agents', 'inline', id];
  return config.lineOf([...path, 'tools', index]);
}
