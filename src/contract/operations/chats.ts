import * as z from 'zod';
import { AgentPatch } from '../agent.ts';
import { Chat, ChatEvent, ChatStats, ChatSummary, SentMessage, UserMessage } from '../chat.ts';
import { RunSummary } from '../run.ts';
import type { Operation } from '../table/operation.ts';

const tag = 'chats';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;
const params = z.object({ id: z.string() });
const model = z.union([z.string(), z.array(z.string()).min(1)]);
const startErrors = ['chat_not_found', 'agent_not_found', 'untrusted', 'no_provider', 'conflict'] as const;

/** Files travel inside of the body, as base64. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export const operations = {
  createChat: {
    ...unary,
    summary: 'Start a chat with an agent',
    method: 'POST',
    path: '/api/chats',
    body: z.strictObject({
      agent: z.string(),
      title: z.string().max(200).optional(),
      /** Checked at once; without them, when the first message is sent. */
      arguments: z.record(z.string(), z.unknown()).optional(),
      model: model.optional(),
      /** Nobody is asked for approval: only tools that need none are offered. */
      headless: z.boolean().optional(),
      /** A revision of the editor's agent in place of the newest. */
      revision: z.int().min(1).optional(),
      /** Changes that are not saved: the chat uses the agent with these. */
      definition: AgentPatch.optional(),
      outputSchema: z.record(z.string(), z.unknown()).optional(),
    }),
    output: Chat,
    status: 201,
    errors: ['agent_not_found', 'invalid_arguments', 'untrusted', 'no_provider'],
  },
  listChats: {
    ...read,
    summary: 'List chats, the last used first',
    path: '/api/chats',
    query: z.object({
      agent: z.string().optional(),
      limit: z.int().min(1).max(1_000).optional(),
      offset: z.int().min(0).optional(),
    }),
    output: z.strictObject({ chats: z.array(ChatSummary), total: z.int().min(0) }),
    errors: [],
  },
  getChat: {
    ...read,
    summary: 'Get a chat with all turns of all branches',
    path: '/api/chats/{id}',
    params,
    output: Chat,
    errors: ['chat_not_found'],
  },
  patchChat: {
    ...unary,
    summary: 'Rename a chat, choose another model or agent, or continue another branch',
    method: 'PATCH',
    path: '/api/chats/{id}',
    params,
    body: z.strictObject({
      title: z.string().min(1).max(200).optional(),
      model: model.nullable().optional(),
      head: z.string().nullable().optional(),
      /** Only before the first message. */
      agent: z.string().optional(),
      /** Whether nobody is asked for approval from the next message on. */
      headless: z.boolean().optional(),
    }),
    output: Chat,
    status: 200,
    errors: ['chat_not_found', 'run_not_found', 'conflict', 'agent_not_found', 'untrusted', 'no_provider'],
  },
  deleteChat: {
    ...unary,
    summary: 'Erase a chat with all of its runs; a run under way is cancelled',
    method: 'DELETE',
    path: '/api/chats/{id}',
    params,
    output: z.null(),
    status: 204,
    errors: ['chat_not_found'],
  },
  sendMessage: {
    ...unary,
    summary: 'Send a message. While a run is under way, the message joins its next step',
    method: 'POST',
    path: '/api/chats/{id}/messages',
    params,
    body: z.strictObject({
      message: UserMessage,
      /** The run to continue instead of the newest, or null for the beginning: an edited message makes a branch. */
      previous: z.string().nullable().optional(),
    }),
    output: SentMessage,
    status: 202,
    errors: [...startErrors, 'run_not_found', 'invalid_arguments'],
    maxBody: MAX_MESSAGE_BYTES,
  },
  retryMessage: {
    ...unary,
    summary: 'Send the message of a run again, as a branch; without `run`, the newest one',
    method: 'POST',
    path: '/api/chats/{id}/retry',
    params,
    body: z.strictObject({ run: z.string().optional(), model: model.optional() }),
    bodyOptional: true,
    output: SentMessage,
    status: 202,
    errors: [...startErrors, 'run_not_found', 'invalid_arguments'],
  },
  cancelTurn: {
    ...unary,
    summary: 'Cancel the run under way; the chat goes on',
    method: 'POST',
    path: '/api/chats/{id}/cancel',
    params,
    output: z.strictObject({ run: RunSummary.nullable() }),
    status: 200,
    errors: ['chat_not_found'],
  },
  followChat: {
    kind: 'stream',
    tag,
    summary: 'Follow the events of a chat; `Last-Event-ID` (or `after`) resumes',
    method: 'GET',
    path: '/api/chats/{id}/events',
    access: 'operator',
    params,
    query: z.object({
      after: z.int().min(0).optional(),
      /** Without `after`: start with this turn instead of the first. */
      turn: z.int().min(1).optional(),
    }),
    output: ChatEvent,
    status: 200,
    errors: ['chat_not_found', 'invalid_arguments'],
  },
  getChatStats: {
    ...read,
    summary: 'Get the turns, tokens, cost and time of a chat',
    path: '/api/chats/{id}/stats',
    params,
    output: ChatStats,
    errors: ['chat_not_found'],
  },
  exportChat: {
    ...read,
    summary: 'Export a chat as Markdown or JSON',
    path: '/api/chats/{id}/export',
    params,
    query: z.object({ format: z.enum(['markdown', 'json']).optional() }),
    output: z.strictObject({ name: z.string(), mediaType: z.string(), content: z.string() }),
    errors: ['chat_not_found'],
  },
} as const satisfies Record<string, Operation>;
