import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { ZooError } from '../../../contract/errors.ts';
import { type CallMessage, requestOfSession } from './call-request.ts';
import { failureOf, responseOf } from './call-response.ts';
import type { Served } from './served.ts';
import { OpenRound } from './tool-call.ts';
import { callTool } from './tools.ts';

/**
 * `tools/call` of a session, without the SDK's protocol layer: that validates each message about ten times. Everything
 * else of the session goes through it.
 */
export interface SessionCalls {
  start(message: CallMessage): void;
  /** A cancelled call gets no response. */
  cancel(id: unknown, reason: unknown): void;
  /** Aborts everything that runs. */
  close(): void;
}

export function createSessionCalls(
  served: Served,
  send: (message: JSONRPCMessage) => Promise<void>,
): SessionCalls {
  const running = new Map<unknown, AbortController>();

  async function respond(message: CallMessage, signal: AbortSignal): Promise<JSONRPCMessage> {
    const { id, name, args } = message;
    const request = requestOfSession(served, message, signal);
    try {
      const outcome = await callTool(served, request, name, args);
      if (outcome instanceof OpenRound) throw new Error('a session is asked during the call');
      return responseOf(id, outcome);
    } catch (error) {
      return failureOf(id, error);
    }
  }

  async function run(message: CallMessage, id: RequestId): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    const response = await respond(message, controller.signal);
    if (running.get(id) === controller) running.delete(id);
    // The client may have disconnected.
    if (!controller.signal.aborted) await send(response).catch(() => undefined);
  }

  return {
    start: (message) => void run(message, message.id),
    cancel: (id, reason) => running.get(id)?.abort(reason),
    close() {
      const over = new ZooError('tool_error', 'The session was closed.');
      for (const controller of running.values()) controller.abort(over);
      running.clear();
    },
  };
}
