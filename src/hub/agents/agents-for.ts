import type { AgentSummary } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import type { AgentDirectory } from './agent-directory.ts';

/** The agents that a caller may see, sorted by id: all of its workspace, or the one that it acts as. */
export async function agentsFor(
  directory: Pick<AgentDirectory, 'view'>,
  { workspace, agent }: CallContext,
  only?: string,
): Promise<readonly AgentSummary[]> {
  const all = await (await directory.view(workspace)).registry.list();
  if (agent === null && only === undefined) return all;
  return all.filter(({ id }) => (agent === null || id === agent) && (only === undefined || id === only));
}
