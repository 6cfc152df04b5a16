import type { Agent, SavedAgent } from '../../contract/agent.ts';
import type { CallContext } from '../../contract/call.ts';
import { missingRequirements } from '../../registry/required-skills.ts';
import { undeclaredPlaceholders } from '../../registry/resolve.ts';
import type { Implements } from '../../contract/api.ts';
import { ZooError } from '../../contract/errors.ts';
import { applyPatch, completeDefinition, definitionOf } from '../../registry/definition.ts';
import type { Prices } from '../tools/prices.ts';
import type { AgentScopes } from '../tools/scopes.ts';
import { type AgentDirectory, expectedRevision, isComputed, placeOf } from './agent-directory.ts';
import { implementRevisions } from './implement-revisions.ts';
import { listAgents } from './list-agents.ts';
import { previewAgent } from './preview-agent.ts';
import type { ResolveAgent } from './resolve-agent.ts';

interface Parts {
  directory: AgentDirectory;
  scopes: AgentScopes;
  prices: Prices;
  resolve: ResolveAgent;
}

export function implementAgents({ directory, scopes, prices, resolve }: Parts): Implements<'agents'> {
  const { store } = directory;

  /** Returns warnings; the agent is saved anyway. */
  async function checked(agent: Agent, { workspace }: CallContext): Promise<SavedAgent> {
    const view = await directory.view(workspace);
    const { warnings } = scopes.grantedTools(agent, view, await scopes.catalogueOf(view));
    const all = [...warnings, ...undeclaredPlaceholders(agent), ...missingRequirements(agent.skills)];
    return all.length > 0 ? { ...agent, warnings: all } : agent;
  }

  return {
    ...implementRevisions(directory),
    ...listAgents({ directory, scopes, prices }),

    async resolveAgent({ name, body }, context) {
      directory.refuseOtherAgent(context, name);
      if (context.caller.kind !== 'operator') await refusePublisher(name, context, scopes);
      return resolve(name, body?.arguments ?? {}, context);
    },

    previewAgent: (input, context) => previewAgent(input, context, { directory, resolve }),

    async createAgent({ body: { id, ...input } }, context) {
      const definition = completeDefinition(input);
      const { byId } = (await directory.view(context.workspace)).merged();
      if (id === undefined) {
        const target = { base: input.name, taken: (other: string) => byId.has(other) };
        return checked(await store.create(definition, context, target), context);
      }
      const file = byId.get(id);
      if (file) throw definedInFile(file.agent);
      return checked(await store.create(definition, context, { exact: id }), context);
    },

    async getAgent({ id }, context) {
      return (await directory.find(id, context)).agent;
    },

    async replaceAgent({ id, ifMatch, body: { revision, ...input } }, context) {
      await directory.requireEditable(id, context);
      const definition = completeDefinition(input);
      const expected = expectedRevision(ifMatch, revision);
      const write = { action: 'changed', context, expected } as const;
      const { agent } = await store.update(id, write, () => ({ definition, value: null }));
      return checked(agent, context);
    },

    async patchAgent({ id, ifMatch, body: { revision, ...patch } }, context) {
      await directory.requireEditable(id, context);
      const expected = expectedRevision(ifMatch, revision);
      const { agent } = await store.update(id, { action: 'changed', context, expected }, (definition) => ({
        definition: applyPatch(definition, patch),
        value: null,
      }));
      return checked(agent, context);
    },

    async deleteAgent({ id, ifMatch }, context) {
      await directory.requireEditable(id, context);
      await store.remove(id, { context, expected: ifMatch });
      return null;
    },

    undeleteAgent: ({ id }, context) => store.undelete(id, context),

    async cloneAgent({ id, body = {} }, context) {
      const { agent } = await directory.find(id, context);
      if (isComputed(agent)) throw notCopyable(agent);
      const definition = definitionOf(agent);
      const name = body.name ?? definition.name;
      const copy = { ...definition, name };
      // A copy with the id of an agent in a file overrides that agent.
      if (body.id !== undefined) return store.create(copy, context, { exact: body.id });
      const { byId } = (await directory.view(context.workspace)).merged();
      const base = body.name ?? `${id}-copy`;
      return store.create(copy, context, { base, taken: (other) => byId.has(other) });
    },
  };
}

function definedInFile({ id, source, origin }: Agent): ZooError {
  return new ZooError(
    'already_exists',
    `An agent with the id '${id}' is defined in ${placeOf({ source, origin })}. Choose another id, or clone it to change it in the editor.`,
    { id, source, origin },
  );
}

function notCopyable({ id, source, origin }: Agent): ZooError {
  return new ZooError(
    'invalid_arguments',
    `Agent '${id}' is computed by ${placeOf({ source, origin })}, so a copy in the editor would have no prompt.`,
    { id, source, origin },
  );
}

/** Tokens of an agent in `tools` mode reach its published tools and nothing else. */
async function refusePublisher(
  id: string,
  context: CallContext,
  { frontOf }: Pick<AgentScopes, 'frontOf'>,
): Promise<void> {
  if (!(await frontOf({ ...context, agent: id }))) return;
  const message = `Agent '${id}' publishes tools, and its token reaches nothing else.`;
  throw new ZooError('out_of_scope', message, { agentId: id });
}
