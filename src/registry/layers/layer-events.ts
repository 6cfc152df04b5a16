import type { NewEvent } from '../../platform/store/events.ts';
import { changesBetween } from '../changes.ts';
import type { LayerSnapshot } from './layer.ts';

/** Fields that change when other parts of their file are edited. */
const INCIDENTAL = new Set(['createdAt', 'updatedAt', 'origin.line']);

/** The changes between two reads of a folder, as events. */
export function eventsBetween(
  owner: string | null,
  next: LayerSnapshot,
  previous: LayerSnapshot,
): NewEvent[] {
  const byKey = ({ agents }: LayerSnapshot) =>
    new Map(agents.map((one) => [`${one.agent.source} ${one.agent.id}`, one]));
  const [before, after] = [byKey(previous), byKey(next)];
  const events: NewEvent[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, fresh] = [before.get(key), after.get(key)];
    const agent = (fresh ?? old)?.agent;
    if (!agent) continue;
    const changes = changesBetween(old?.agent ?? {}, fresh?.agent ?? {}).map(({ path }) => path);
    const real = changes.filter((path) => !INCIDENTAL.has(path));
    if (old?.program?.version !== fresh?.program?.version) real.push('program');
    if (old?.trusted !== fresh?.trusted) real.push('trusted');
    if (real.length === 0) continue;
    const type = !old ? 'agent-created' : !fresh ? 'agent-deleted' : 'agent-changed';
    events.push({ type, workspace: owner, agentId: agent.id, data: { source: agent.source, changes: real } });
  }
  if (!sameTools(previous, next)) events.push({ type: 'tools-changed', workspace: owner, agentId: null });
  if (changesBetween(previous.diagnostics, next.diagnostics).length > 0) {
    events.push({ type: 'diagnostics-changed', workspace: owner, agentId: null });
  }
  if (previous.trust.state !== next.trust.state) {
    events.push({
      type: 'trust-changed',
      workspace: owner,
      agentId: null,
      data: { state: next.trust.state },
    });
  }
  return events;
}

/** Whether two configs have the same tools and scripts. */
function sameTools(before: LayerSnapshot, after: LayerSnapshot): boolean {
  const said = ({ config: { config }, trust, expanded }: LayerSnapshot) => ({
    mcp: config.mcp ?? {},
    tools: config.tools ?? {},
    scripts: config.tools?.script ? [trust.hash, expanded !== null] : [],
  });
  return changesBetween(said(before), said(after)).length === 0;
}
