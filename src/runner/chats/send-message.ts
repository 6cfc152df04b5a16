import type { CallContext } from '../../contract/call.ts';
import type { SentMessage } from '../../contract/chat.ts';
import { ZooError } from '../../contract/errors.ts';
import type { UserPart } from '../../contract/run.ts';
import type { Runner } from '../runner.ts';
import { chatBusy } from '../runs/create-run.ts';
import type { RunMessages } from '../runs/run-messages.ts';
import type { ChatNews } from './chat-events.ts';
import type { ChatHead, ChatStore } from './chat-store.ts';

/** A run can end between the check and the message to it. */
const ATTEMPTS = 5;

export interface SendOptions {
  /** The run to continue; the chat's head by default. */
  previous?: string | null | undefined;
  models?: readonly string[] | undefined;
}

export interface SenderParts {
  store: ChatStore;
  runner: Pick<Runner, 'start'>;
  messages: RunMessages;
  news: ChatNews;
  /** Throws `chat_not_found` for a caller that may not see the chat. */
  visible(id: string, context: CallContext): Promise<ChatHead>;
}

export interface Sender {
  /** Starts the next turn. */
  start(
    chat: ChatHead,
    input: readonly UserPart[],
    options: SendOptions,
    context: CallContext,
  ): Promise<SentMessage>;
  /** Starts the next turn, or joins the one under way. */
  send(
    id: string,
    parts: readonly UserPart[],
    options: SendOptions,
    context: CallContext,
  ): Promise<SentMessage>;
}

export function createSender({ store, runner, messages, news, visible }: SenderParts): Sender {
  const start: Sender['start'] = async (
    chat,
    input,
    { previous = chat.head, models = chat.models ?? undefined },
    context,
  ) => {
    if (previous !== null && previous !== chat.head) await store.turn(chat.id, previous);
    const { agentId, arguments: args, headless, workspace, revision, definition, outputSchema } = chat;
    const run = await runner.start(
      {
        agentId,
        input,
        arguments: args,
        models,
        outputSchema: outputSchema ?? undefined,
        interactive: !headless,
        version: versionOf(revision, definition),
        chat: { id: chat.id, previous },
      },
      { ...context, workspace },
    );
    news.tell(chat.id);
    return { runId: run.id, turn: run.turn ?? 1, joined: false };
  };

  return {
    start,
    async send(id, parts, options, context) {
      for (let attempt = 1; ; attempt++) {
        const chat = await visible(id, context);
        const active = await store.activeRun(id);
        if (active && options.previous !== undefined) throw chatBusy(id);
        if (active && (await messages.add(active.runId, parts))) return { ...active, joined: true };
        try {
          return await start(chat, parts, options, context);
        } catch (error) {
          // Another message started a run first, so this one joins it.
          const isLate = error instanceof ZooError && error.details?.reason === 'chat_busy';
          if (!isLate || options.previous !== undefined || attempt === ATTEMPTS) throw error;
        }
      }
    },
  };
}

function versionOf(revision: ChatHead['revision'], definition: ChatHead['definition']) {
  if (revision === null && definition === null) return undefined;
  return { revision: revision ?? undefined, definition: definition ?? undefined };
}
