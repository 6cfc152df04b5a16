import { type CallContext, callerName } from '../../../contract/call.ts';
import { ZooError } from '../../../contract/errors.ts';
import type { ToolCall } from '../../../contract/tool.ts';
import { type Conversation, createConversation, keysIn } from './conversation.ts';
import type { Listener, Request } from '../connection/link.ts';
import type { Upstream } from '../upstream.ts';

const ANSWER_MS = 600_000;

/** The open requests, including those that wait for a call to bring an answer. */
export interface Conversations {
  /** Continues the request that the call brings an answer for, or starts a new one. */
  attend(upstream: Upstream, request: Request, call: ToolCall): Promise<Record<string, unknown>>;
  clientGone(client: string): void;
  close(): void;
}

export type SendRequest = (
  upstream: Upstream,
  client: string,
  request: Request,
  listener: Listener,
) => Promise<Record<string, unknown>>;

interface Held {
  conversation: Conversation;
  client: string;
  /** Caller and request: only the same caller may continue it. */
  fingerprint: string;
}

export function createConversations(send: SendRequest): Conversations {
  const held = new Map<string, Held>();

  function begin(upstream: Upstream, request: Request, { context }: ToolCall): Conversation {
    const client = clientOf(context);
    const conversation: Conversation = createConversation(
      (listener) => send(upstream, client, request, listener),
      {
        server: `The server '${upstream.name}'`,
        timeoutMs: upstream.timeoutMs,
        answerMs: ANSWER_MS,
        onOver: () => held.delete(conversation.key),
      },
    );
    held.set(conversation.key, {
      conversation,
      client,
      fingerprint: fingerprintOf(upstream, request, context),
    });
    return conversation;
  }

  /** The conversation that the answers belong to; null for a new call. */
  function resumed(
    upstream: Upstream,
    request: Request,
    { answered, context }: ToolCall,
  ): Conversation | null {
    const keys = answered ? keysIn(answered) : [];
    if (keys.length === 0) return null;
    for (const key of keys) {
      const found = held.get(key);
      if (!found?.conversation.isSuspended()) continue;
      if (found.fingerprint === fingerprintOf(upstream, request, context)) return found.conversation;
    }
    throw new ZooError(
      'tool_error',
      `The server '${upstream.name}' no longer waits for this answer: it came too late, or the hub was restarted. The call may have taken partial effect; call the tool again.`,
      { server: upstream.name, happened: 'maybe' },
    );
  }

  return {
    attend: (upstream, request, call) =>
      (resumed(upstream, request, call) ?? begin(upstream, request, call)).attend(call),

    clientGone(client) {
      const gone = new ZooError('tool_error', 'The client disconnected.');
      for (const each of held.values()) if (each.client === client) each.conversation.end(gone);
    },

    close() {
      const over = new ZooError('tool_error', 'The hub is stopping. The call may have taken effect.');
      for (const { conversation } of held.values()) conversation.end(over);
    },
  };
}

/** Identifies a client by its connection, or by its caller and workspace where it has none. */
export function clientOf(context: CallContext): string {
  return context.client ?? `${callerName(context)} ${context.workspace}`;
}

function fingerprintOf({ hash }: Upstream, request: Request, context: CallContext): string {
  return JSON.stringify([
    hash,
    callerName(context),
    context.workspace,
    context.agent,
    { ...request, inputSchema: null },
  ]);
}
