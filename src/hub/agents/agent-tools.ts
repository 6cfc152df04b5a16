import type { Implements } from '../../contract/api.ts';
import type { Agent, SavedAgent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Tool } from '../../contract/tool.ts';
import { structurePrompt, withIntroduction, withMessages } from '../../registry/compile.ts';
import { agentEditingTools, agentTools, brainTools, editingTools } from '../../tools/builtin/index.ts';
import type { AgentDirectory } from './agent-directory.ts';
import type { ResolveAgent } from './resolve-agent.ts';

/** Built-in tools for agents and their memories, over the operations of this wing. */
export function createAgentTools(
  operations: Implements<'agents' | 'parts' | 'brain' | 'current'>,
  resolve: ResolveAgent,
  { find }: Pick<AgentDirectory, 'find'>,
): Tool[] {
  /** An agent of a workspace is another one than the user's own with the same id. */
  const creatorOf = async (id: string, context: CallContext): Promise<string> => {
    const { owner } = await find(id, context);
    return owner === null ? id : `${owner}/${id}`;
  };
  const get = (id: string, context: CallContext): Promise<Agent> => {
    if (!mayRead(context)) refuseOthers(id, context);
    return operations.getAgent({ id }, context);
  };
  return [
    ...agentTools({
      list: async (context) =>
        context.agent === null || mayRead(context)
          ? (await operations.listAgents({}, context)).agents
          : [await get(context.agent, context)],
      get,
      async resolve(id, args, context) {
        refuseOthers(id, context);
        let prompt = structurePrompt([]);
        const resolved = await resolve(id, args, context, (parts) => {
          prompt = structurePrompt(parts);
        });
        return { ...resolved, prompt };
      },
      compile: (agent, system, messages) => withIntroduction(agent, withMessages(system, messages)),
    }),
    ...editingTools({
      async setCurrent(id, context) {
        refuseOthers(id, context);
        const { name } = await get(id, context);
        await operations.setCurrent({ body: { agentId: id } }, context);
        return name;
      },
      async setSystemPrompt(id, systemPrompt, context) {
        refuseOthers(id, context);
        return (await operations.patchAgent({ id, body: { systemPrompt } }, context)).name;
      },
      async setSkillEnabled(id, skillId, enabled, context) {
        refuseOthers(id, context);
        return (await operations.patchSkill({ id, skillId, body: { enabled } }, context)).name;
      },
    }),
    ...agentEditingTools({
      async create({ id, ...input }, context) {
        const metadata =
          context.agent === null ? {} : { metadata: { [CREATOR]: await creatorOf(context.agent, context) } };
        const body = { ...input, ...metadata, ...(id === undefined ? {} : { id }) };
        return withWarnings(await operations.createAgent({ body }, context));
      },
      async update(id, patch, context) {
        await refuseUpdate(id, patch, context, { ...operations, creatorOf });
        return withWarnings(await operations.patchAgent({ id, body: patch }, context));
      },
    }),
    ...brainTools({
      create: (id, body, context) => operations.createBrainEntry({ id, body }, context),
      update: (id, entryId, body, context) => operations.patchBrainEntry({ id, entryId, body }, context),
      async remove(id, entryId, context) {
        await operations.deleteBrainEntry({ id, entryId }, context);
      },
      query: (id, filter, context) => operations.queryBrain({ id, ...filter }, context),
    }),
  ];
}

/** In a chat of the operator, an agent with these tools helps to define agents: it reads all of them. */
const mayRead = ({ attended, caller }: CallContext): boolean =>
  attended !== undefined && caller.kind === 'operator';

/** A caller that acts as an agent can access only that agent, as with prompts and resources. */
function refuseOthers(id: string, { agent }: CallContext): void {
  if (agent === null || agent === id) return;
  throw new ZooError('out_of_scope', `Agent '${agent}' has no access to agent '${id}'.`);
}

/** The agent that created an agent, in its metadata. */
const CREATOR = 'createdByAgent';

/**
 * An agent may change agents that it created, and itself except for its own tools. In a chat of the operator, it may
 * change any other once the operator was asked and has allowed it.
 */
async function refuseUpdate(
  id: string,
  patch: { tools?: unknown },
  context: CallContext,
  {
    getAgent,
    creatorOf,
  }: Pick<Implements<'agents'>, 'getAgent'> & {
    creatorOf(id: string, context: CallContext): Promise<string>;
  },
): Promise<void> {
  if (context.agent === null) return;
  if (context.agent === id) {
    if (patch.tools === undefined) return;
    throw new ZooError('out_of_scope', `Agent '${id}' cannot change its own tools.`);
  }
  if (context.attended === 'approved' && context.caller.kind === 'operator') return;
  const { metadata } = await getAgent({ id }, context);
  if (metadata[CREATOR] !== (await creatorOf(context.agent, context))) refuseOthers(id, context);
}

const withWarnings = ({ id, name, revision, warnings = [] }: SavedAgent) => ({
  id,
  name,
  revision,
  warnings,
});
