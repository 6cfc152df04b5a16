import { randomUUID } from 'node:crypto';
import { type CallContext, callerKey, callerName } from '../../contract/call.ts';
import type { Chat, ChatEvent, ChatStats, ChatSummary, SentMessage } from '../../contract/chat.ts';
import { ZooError } from '../../contract/errors.ts';
import { addUsage, NO_USAGE, type Run, type RunSummary, type UserPart } from '../../contract/run.ts';
import type { Database } from '../../platform/store/database.ts';
import type { Runner } from '../runner.ts';
import { chatBusy } from '../runs/create-run.ts';
import type { RunMessages } from '../runs/run-messages.ts';
import type { AgentVersion } from '../runs/run-request.ts';
import type { ChatNews } from './chat-events.ts';
import { firstOfTurn, followChat } from './chat-events.ts';
import {
  type ChatChange,
  type ChatFilter,
  type ChatHead,
  chatNotFound,
  type ChatStore,
} from './chat-store.ts';
import { createSender, type SendOptions } from './send-message.ts';

export interface StartChat {
  agentId: string;
  title?: string | undefined;
  /** Without them, required ones are missed with the first message: until then, the agent can change. */
  arguments?: Record<string, unknown> | undefined;
  models?: readonly string[] | undefined;
  headless?: boolean | undefined;
  /** A version of the agent other than the served one. */
  version?: AgentVersion | undefined;
  outputSchema?: Record<string, unknown> | undefined;
}

/** Conversations of several runs. A chat belongs to its caller; the operator sees all of them. */
export interface Chats {
  create(chat: StartChat, context: CallContext): Promise<Chat>;
  get(id: string, context: CallContext): Promise<Chat>;
  list(filter: ChatFilter, context: CallContext): Promise<{ chats: ChatSummary[]; total: number }>;
  update(id: string, change: ChatChange, context: CallContext): Promise<Chat>;
  send(
    id: string,
    parts: readonly UserPart[],
    options: SendOptions,
    context: CallContext,
  ): Promise<SentMessage>;
  retry(
    id: string,
    options: { run?: string | undefined; models?: readonly string[] | undefined },
    context: CallContext,
  ): Promise<SentMessage>;
  cancel(id: string, context: CallContext): Promise<RunSummary | null>;
  /** After an event, or from a turn on. */
  follow(
    id: string,
    from: { after?: number | undefined; turn?: number | undefined },
    context: CallContext,
  ): AsyncIterable<ChatEvent>;
  stats(id: string, context: CallContext): Promise<ChatStats>;
  /** The runs of the current branch with all their steps. */
  transcript(id: string, context: CallContext): Promise<{ chat: Chat; runs: Run[] }>;
  erase(id: string, context: CallContext): Promise<void>;
}

export interface ChatsOptions {
  db: Database;
  store: ChatStore;
  runner: Runner;
  messages: RunMessages;
  news: ChatNews;
}

/** A run of another process may still be under way after it was cancelled; it writes nothing without its row. */
const MOST_CANCELLED = 5;

export function createChats({ db, store, runner, messages, news }: ChatsOptions): Chats {
  const visible = async (id: string, context: CallContext): Promise<ChatHead> => {
    const { caller } = context;
    if (caller.kind === 'operator' || (await store.isOf(id, callerKey(caller)))) return store.head(id);
    throw chatNotFound(id);
  };
  const read = async (id: string, context: CallContext): Promise<Chat> => {
    await visible(id, context);
    return store.get(id);
  };
  const { start, send } = createSender({ runner, store, messages, news, visible });

  return {
    async create(chat, context) {
      const { agentId, title = '', models, headless = false, version, outputSchema } = chat;
      const { arguments: args } = chat;
      await runner.check({ agentId, models, version, ...(args ? { arguments: args } : {}) }, context);
      const id = randomUUID();
      await store.create({
        id,
        agentId,
        title,
        arguments: args ?? {},
        headless,
        version: version ?? null,
        outputSchema: outputSchema ?? null,
        models: models ? [...models] : null,
        workspace: context.workspace,
        caller: callerName(context),
        callerKey: callerKey(context.caller),
        surface: context.surface,
      });
      return store.get(id);
    },
    get: read,
    list: (filter, context) =>
      store.list(
        context.caller.kind === 'operator' ? filter : { ...filter, callerKey: callerKey(context.caller) },
      ),

    async update(id, change, context) {
      const chat = await visible(id, context);
      await checkRun(runner, chat, change, context);
      if (change.head !== undefined) {
        if (await store.activeRun(id)) throw chatBusy(id);
        if (change.head !== null) await store.turn(id, change.head);
      }
      await store.update(id, change);
      return store.get(id);
    },

    send,

    async retry(id, { run, models }, context) {
      const chat = await visible(id, context);
      if (await store.activeRun(id)) throw chatBusy(id);
      const wanted = run ?? chat.head;
      if (wanted === null) throw new ZooError('run_not_found', 'This chat has no messages yet.');
      const { input, previous } = await store.turn(id, wanted);
      return start(chat, input, { previous, models }, context);
    },

    async cancel(id, context) {
      await visible(id, context);
      const active = await store.activeRun(id);
      return active ? runner.cancel(active.runId, context) : null;
    },

    async *follow(id, { after, turn }, context) {
      await visible(id, context);
      const { signal } = context;
      const last = after ?? (turn === undefined ? 0 : firstOfTurn(turn) - 1);
      yield* followChat({ db, store, news, followRun: runner.followEvents }, id, last, signal);
    },

    async stats(id, context) {
      const { history } = await read(id, context);
      return statsOf(history, await store.toolCalls(id));
    },

    async transcript(id, context) {
      const chat = await read(id, context);
      const runs = await Promise.all(chat.branch.map((runId) => runner.get(runId, context)));
      return { chat, runs };
    },

    async erase(id, context) {
      await visible(id, context);
      // Messages that come during a cancellation start the next turn.
      for (let attempt = 1; attempt <= MOST_CANCELLED; attempt++) {
        const active = await store.activeRun(id);
        if (!active) break;
        await runner.cancel(active.runId, context);
      }
      await store.erase(id);
      news.tell(id);
    },
  };
}

/** Throws for an agent or models that a run of the chat could not start with. */
async function checkRun(
  runner: Runner,
  { turns, workspace, ...chat }: ChatHead,
  { agentId, models }: ChatChange,
  context: CallContext,
): Promise<void> {
  if (agentId !== undefined && turns > 0)
    throw new ZooError('conflict', 'The agent of a chat can only be changed before its first message.');
  if (agentId === undefined && !models) return;
  const wanted = { agentId: agentId ?? chat.agentId, models: models ?? chat.models ?? undefined };
  await runner.check(wanted, { ...context, workspace });
}

function statsOf(history: Chat['history'], toolCalls: number): ChatStats {
  const sum = (count: (turn: Chat['history'][number]) => number) =>
    history.reduce((total, turn) => total + count(turn), 0);
  return {
    turns: history.length,
    steps: sum(({ steps }) => steps),
    toolCalls,
    usage: history.reduce((total, { usage }) => addUsage(total, usage), NO_USAGE),
    durationMs: sum(({ createdAt, endedAt }) =>
      endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(createdAt),
    ),
  };
}
