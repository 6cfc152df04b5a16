import type { CallContext } from '../../contract/call.ts';
import { BrainEntryType, BrainFilter } from '../../contract/brain.ts';
import { ZooError } from '../../contract/errors.ts';
import { parse } from '../../contract/parsing/parse.ts';
import type { ResourceContents, ResourceProvider, ResourceTemplate } from '../../contract/offers/resource.ts';
import type { Memory } from '../../registry/memory.ts';
import { describeAgent } from './agent-prompts.ts';
import { agentsFor } from './agents-for.ts';
import type { AgentDirectory } from './agent-directory.ts';

const AGENTS = 'agent-zoo://agents';
const CURRENT = `${AGENTS}/current`;
const JSON_TYPE = 'application/json';
const Filters = BrainFilter.pick({ type: true, tags: true, dateFrom: true, dateTo: true, pinned: true });

const template = (path: string, name: string, title: string, description: string): ResourceTemplate => ({
  uriTemplate: AGENTS + path,
  name,
  title,
  description,
  mimeType: JSON_TYPE,
});
const AGENT = template('/{id}', 'agent', 'Agent', 'A complete agent.');
const BRAIN = template(
  `/{id}/brain{?${Object.keys(Filters.shape).join(',')}}`,
  'brain',
  'Brain entries',
  "An agent's memory, newest first. `tags` matches any of a comma-separated list; the days are inclusive.",
);
const ENTRY = template(
  '/{id}/brain/{entryId}',
  'brain-entry',
  'Brain entry',
  'One entry of an agent’s memory.',
);

/** Agents and their memories as resources. A caller that acts as an agent can access only that agent. */
export function createAgentResources(
  directory: AgentDirectory,
  memory: Memory,
  current: (context: CallContext) => Promise<string | null>,
): ResourceProvider {
  async function value(address: Address, context: CallContext): Promise<unknown> {
    if (address.kind === 'agents') {
      const agents = await agentsFor(directory, context);
      return {
        agents: agents.map(({ id, name, description, mode, source }) => ({
          id,
          name,
          description,
          mode,
          source,
        })),
      };
    }
    const id = address.kind === 'current' ? await current(context) : address.id;
    if (id === null) return { agentId: null, message: 'This workspace has no current agent.' };
    if (context.agent !== null && context.agent !== id) return undefined;
    const { agent, owner } = await directory.find(id, context);
    const of = { agentId: id, owner };
    if (address.kind === 'brain') return memory.query(of, address.filter);
    return address.kind === 'entry' ? memory.get(of, address.entryId) : agent;
  }

  async function entryIds(id: string | undefined, context: CallContext): Promise<string[]> {
    if (id === undefined || (await agentsFor(directory, context, id)).length === 0) return [];
    const { owner } = await directory.find(id, context);
    const { entries } = await memory.query({ agentId: id, owner }, {});
    return entries.map((entry) => entry.id);
  }

  return {
    async list(context) {
      const shared = [
        {
          uri: AGENTS,
          name: 'agents',
          title: 'Agents',
          description: 'A summary of every agent.',
          mimeType: JSON_TYPE,
        },
        {
          uri: CURRENT,
          name: 'current',
          title: 'Current agent',
          description: 'The current agent of this workspace.',
          mimeType: JSON_TYPE,
        },
      ];
      const agents = (await agentsFor(directory, context)).map((agent) => ({
        uri: `${AGENTS}/${agent.id}`,
        name: agent.id,
        title: agent.name,
        description: describeAgent(agent),
        mimeType: JSON_TYPE,
      }));
      return context.agent === null ? [...shared, ...agents] : agents;
    },

    templates: async () => [AGENT, BRAIN, ENTRY],

    async read(uri, context) {
      const address = parseAddress(uri);
      const found = address && (await value(address, context).catch(nullWhenMissing));
      return found === null || found === undefined ? null : [json(uri, found)];
    },

    async complete(uriTemplate, { name, value: typed }, given, context) {
      if (![AGENT, BRAIN, ENTRY].some((each) => each.uriTemplate === uriTemplate)) return null;
      const values = async (): Promise<readonly string[]> => {
        if (name === 'id') return (await agentsFor(directory, context)).map(({ id }) => id);
        if (name === 'entryId') return entryIds(given['id'], context);
        if (name === 'type') return BrainEntryType.options;
        return name === 'pinned' ? ['true', 'false'] : [];
      };
      return (await values()).filter((each) => each.startsWith(typed));
    },
  };
}

type Address =
  | { kind: 'agents' }
  | { kind: 'current' }
  | { kind: 'agent'; id: string }
  | { kind: 'brain'; id: string; filter: BrainFilter }
  | { kind: 'entry'; id: string; entryId: string };

/**
 * Parsed by hand, because URL parsers disagree on whether the first segment after an unknown scheme is a host.
 */
function parseAddress(uri: string): Address | null {
  const [path, search] = split(uri, '?');
  if (path !== AGENTS && !path.startsWith(`${AGENTS}/`)) return null;
  const segments =
    path === AGENTS
      ? []
      : path
          .slice(AGENTS.length + 1)
          .split('/')
          .map(decode);
  const [id, brain, entryId, ...rest] = segments;
  if (segments.some((segment) => !segment) || rest.length > 0) return null;
  const isBrain = brain === 'brain';
  if (search !== undefined && !(isBrain && entryId === undefined)) return null;
  if (!id) return { kind: 'agents' };
  if (brain === undefined || brain === null)
    return id === 'current' ? { kind: 'current' } : { kind: 'agent', id };
  if (!isBrain) return null;
  return entryId ? { kind: 'entry', id, entryId } : { kind: 'brain', id, filter: parseFilter(search) };
}

function parseFilter(search: string | undefined): BrainFilter {
  const { tags: _, ...given } = Object.fromEntries(new URLSearchParams(search));
  const tags = new URLSearchParams(search).getAll('tags').flatMap((each) => each.split(','));
  const pinned = given['pinned'] === 'true' ? true : given['pinned'] === 'false' ? false : given['pinned'];
  return parse(Filters, {
    ...given,
    ...(pinned !== undefined && { pinned }),
    ...(tags.length > 0 && { tags }),
  });
}

function split(text: string, at: string): [string, string | undefined] {
  const index = text.indexOf(at);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function json(uri: string, value: unknown): ResourceContents {
  return { uri, mimeType: JSON_TYPE, text: JSON.stringify(value, null, 2) };
}

const MISSING = new Set(['agent_not_found', 'brain_entry_not_found']);

function nullWhenMissing(error: unknown): null {
  if (error instanceof ZooError && MISSING.has(error.code)) return null;
  throw error;
}
