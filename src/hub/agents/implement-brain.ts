import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import type { BrainOwner, Memory } from '../../registry/memory.ts';
import type { AgentDirectory } from './agent-directory.ts';

export function implementBrain(directory: AgentDirectory, memory: Memory): Implements<'brain'> {
  const of = async (id: string, context: CallContext): Promise<BrainOwner> => {
    const { agent, owner } = await directory.find(id, context);
    return { agentId: agent.id, owner };
  };

  return {
    queryBrain: async ({ id, ...filter }, context) => memory.query(await of(id, context), filter),
    createBrainEntry: async ({ id, body }, context) => memory.create(await of(id, context), body, context),
    getBrainEntry: async ({ id, entryId }, context) => memory.get(await of(id, context), entryId),
    patchBrainEntry: async ({ id, entryId, body }, context) =>
      memory.patch(await of(id, context), entryId, body, context),
    pinBrainEntry: async ({ id, entryId, body }, context) =>
      memory.patch(await of(id, context), entryId, body, context),
    deleteBrainEntry: async ({ id, entryId }, context) =>
      memory.remove(await of(id, context), entryId, context),
    undeleteBrainEntry: async ({ id, entryId }, context) =>
      memory.undelete(await of(id, context), entryId, context),
  };
}
