import type { Agent, AgentSummary } from '../../contract/agent.ts';
import type { Revision } from '../../contract/revision.ts';
import type { ScopePlace } from '../../contract/scope.ts';
import { loadText } from '../../platform/files/text-file.ts';
import { frontMatterLine } from '../../registry/markdown/front-matter-line.ts';
import type { View } from '../workspaces/view.ts';

type Place = Pick<ScopePlace, 'file' | 'line'>;

/** Where a group or one of its entries is written, in the config of the agent's owner. */
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

/** Where an entry of an agent's `tools` is written; without an entry, where the agent is defined. */
export async function rulePlace(
  view: View,
  agent: Agent,
  index: number | null,
  history: (id: string) => Promise<readonly Revision[]>,
): Promise<ScopePlace> {
  if (agent.source === 'editor') {
    const revisions = await history(agent.id);
    const last = revisions.find(
      ({ action, changes }) => action === 'created' || changes.some((path) => path.split('.')[0] === 'tools'),
    );
    return { file: null, line: null, revision: last?.revision ?? agent.revision };
  }
  const file = agent.origin?.path ?? null;
  const line = index === null ? null : await entryLine(view, agent, index);
  return { file, line: line ?? agent.origin?.line ?? null, revision: null };
}

async function entryLine(view: View, agent: Agent, index: number): Promise<number | null> {
  if (agent.source === 'toml' || !agent.origin) return toolsEntryLine(view, agent, index);
  const loaded = await loadText(agent.origin.path);
  if (!loaded.ok) return null;
  if (agent.source === 'markdown') return frontMatterLine(loaded.text, 'tools', index);
  return lineInScript(loaded.text, agent.tools?.[index] ?? '');
}

/** Only finds lists that a script writes out after the word `tools`. */
function lineInScript(text: string, entry: string): number | null {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => /\btools\b\s*[=:]/.test(line));
  const quoted = [`"${entry}"`, `'${entry}'`];
  const at = lines.findIndex((line, index) => index >= from && quoted.some((each) => line.includes(each)));
  return from >= 0 && at >= 0 ? at + 1 : null;
}
