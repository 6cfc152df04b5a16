import type { AgentSummary } from '../../contract/agent.ts';
import { isTrusted } from '../../platform/trust/trust.ts';
import type { View } from '../workspaces/view.ts';

/** Agents of unapproved workspaces are data only: they do not run. */
export function mayRun({ id, source }: Pick<AgentSummary, 'id' | 'source'>, view: View): boolean {
  if (source === 'editor') return true;
  const found = view.merged().byId.get(id);
  if (!found?.trusted) return false;
  const layer = view.layers.find((each) => each.owner === found.owner);
  const state = layer?.current().trust.state ?? 'own';
  return found.owner === null || isTrusted(state) || state === 'nothing-to-trust';
}
