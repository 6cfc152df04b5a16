import type { Implementation } from '@modelcontextprotocol/server';
import type { CallContext } from '../../../contract/call.ts';
import type { Hub } from '../../../hub/hub.ts';
import { VERSION } from '../../../platform/home/version.ts';

/** Lists differ between callers. Clients are notified of changes; the short lifetime is for those that do not listen. */
export const CACHE = { ttlMs: 10_000, cacheScope: 'private' } as const;

export interface Identity {
  info: Implementation;
  instructions: string;
  /** It has tools, and neither prompts nor resources. */
  toolsOnly: boolean;
}

const HUB: Identity = {
  info: { name: 'agent-zoo', title: 'Agent Zoo', version: VERSION },
  instructions:
    'Agents that the user has prepared. To become one, call agent_zoo_list_agents, then agent_zoo_inject with its id, and follow the prompt that it returns. Each agent is also a prompt under its id.',
  toolsOnly: false,
};

const TEAM: Identity = {
  info: { name: 'agent-zoo-team', title: 'Agent Zoo team', version: VERSION },
  instructions:
    'The tools of your team and of your scope. Tool calls return immediately; do not poll for replies.',
  toolsOnly: true,
};

/** The hub itself, or the agent that a connection is for. Throws if that agent does not exist. */
export async function identityOf(hub: Hub, context: CallContext): Promise<Identity> {
  if (context.caller.kind === 'member') return TEAM;
  if (context.agent === null) return HUB;
  const agent = await hub.operations.getAgent({ id: context.agent }, context);
  return {
    info: { name: agent.name, version: agent.version },
    instructions: agent.description,
    toolsOnly: agent.mode === 'tools',
  };
}
