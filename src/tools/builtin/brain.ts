import * as z from 'zod';
import {
  type BrainEntry,
  BrainEntryInput,
  BrainEntryPatch,
  BrainEntryType,
  BrainFilter,
} from '../../contract/brain.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Tool, ToolCall, ToolResult } from '../../contract/tool.ts';
import { confirmation, defineTool, jsonResult, type ToolWords } from '../define-tool.ts';

/** Functions of the hub that the memory tools use. */
export interface BrainAccess {
  create(agentId: string, input: BrainEntryInput, context: CallContext): Promise<BrainEntry>;
  update(agentId: string, id: string, patch: BrainEntryPatch, context: CallContext): Promise<BrainEntry>;
  remove(agentId: string, id: string, context: CallContext): Promise<void>;
  query(
    agentId: string,
    filter: BrainFilter,
    context: CallContext,
  ): Promise<{ entries: BrainEntry[]; total: number }>;
}

const text = { type: 'string' };
const flag = { type: 'boolean' };
const tags = (description: string) => ({ type: 'array', items: text, description });
const day = (description: string) => ({ type: 'string', format: 'date', description });
const agentId = {
  type: 'string',
  description: 'ID of the agent that owns the memory; your own ID once injected.',
};
const entryId = {
  type: 'string',
  description: 'ID of the entry, as returned by agent_zoo_query_brain_entries.',
};
const fields = {
  type: {
    type: 'string',
    enum: BrainEntryType.options,
    description: 'The kind of memory.',
  },
  content: { type: 'string', description: 'What to remember, understandable without context.' },
  pinned: {
    type: 'boolean',
    description: 'Pinned entries are part of the prompt whenever the agent is injected.',
  },
  tags: tags('Tags to find it by.'),
};
const entry = {
  id: text,
  agentId: text,
  type: text,
  content: text,
  timestamp: text,
  pinned: flag,
  tags: { type: 'array', items: text },
  metadata: { type: 'object' },
};
const ById = z.object({ agentId: z.string() });
const ByEntry = ById.extend({ entryId: z.string() });

/** Tools for the long-term memory of agents. */
export function brainTools(brain: BrainAccess): Tool[] {
  return [
    ownMemory(
      {
        name: 'agent_zoo_create_brain_entry',
        title: 'Remember',
        description:
          "Adds an entry to an agent's long-term memory: a decision, a milestone, a note or a summary.",
        properties: {
          agentId,
          ...fields,
          metadata: {
            type: 'object',
            properties: { sessionId: { type: 'string', description: 'The conversation it comes from.' } },
            additionalProperties: false,
            description: 'Its origin; the hub adds the rest.',
          },
        },
        required: ['agentId', 'type', 'content'],
        answers: entry,
        effect: 'adds',
      },
      ById.extend(BrainEntryInput.shape),
      async ({ agentId: id, ...input }, { context }) =>
        jsonResult({ ...(await brain.create(id, input, context)) }),
    ),
    ownMemory(
      {
        name: 'agent_zoo_update_brain_entry',
        title: 'Change a memory',
        description: "Changes an entry of an agent's memory; omitted fields stay unchanged.",
        properties: { agentId, entryId, ...fields },
        required: ['agentId', 'entryId'],
        answers: entry,
        effect: 'replaces',
      },
      ByEntry.extend(BrainEntryPatch.shape),
      async ({ agentId: id, entryId: which, ...patch }, { context }) =>
        jsonResult({ ...(await brain.update(id, which, patch, context)) }),
    ),
    ownMemory(
      {
        name: 'agent_zoo_delete_brain_entry',
        title: 'Forget',
        description: "Removes an entry from an agent's memory.",
        properties: { agentId, entryId },
        required: ['agentId', 'entryId'],
        answers: { message: text, agentId: text, entryId: text },
        effect: 'deletes',
      },
      ByEntry,
      async ({ agentId: id, entryId: which }, { context }) => {
        await brain.remove(id, which, context);
        return confirmation(`Brain entry ${which} of agent ${id} deleted.`, { agentId: id, entryId: which });
      },
    ),
    ownMemory(
      {
        name: 'agent_zoo_query_brain_entries',
        title: 'Recall',
        description:
          "Finds entries of an agent's memory, newest first. Without filters it returns the latest.",
        properties: {
          agentId,
          type: fields.type,
          tags: tags('Entries with any of these tags.'),
          dateFrom: day('First day, for example 2026-11-15.'),
          dateTo: day('Last day, inclusive.'),
          pinned: { type: 'boolean', description: 'true for pinned entries only, false for others only.' },
          q: { type: 'string', description: 'Text that the content must contain.' },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: 1000,
            description: 'Maximum number of entries; default 100.',
          },
        },
        required: ['agentId'],
        answers: {
          entries: { type: 'array', items: { type: 'object', properties: entry } },
          total: { type: 'integer' },
        },
        effect: 'reads',
      },
      ById.extend(BrainFilter.shape),
      async ({ agentId: id, ...filter }, { context }) =>
        jsonResult({ ...(await brain.query(id, filter, context)) }),
    ),
  ];
}

/** A caller that acts as an agent can only reach that agent's memory. */
function ownMemory<S extends z.ZodType<{ agentId: string }>>(
  words: ToolWords,
  input: S,
  execute: (args: z.output<S>, call: ToolCall) => Promise<ToolResult>,
): Tool {
  return defineTool(words, input, async (args, call) => {
    const { agent } = call.context;
    if (agent !== null && agent !== args.agentId) {
      throw new ZooError(
        'out_of_scope',
        `Agent '${agent}' has no access to the memory of '${args.agentId}'.`,
      );
    }
    return execute(args, call);
  });
}
