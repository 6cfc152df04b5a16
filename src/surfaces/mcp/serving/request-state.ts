import { randomBytes } from 'node:crypto';
import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type CallContext, callerKey } from '../../../contract/call.ts';

/** The client's answers from earlier rounds of a call. */
export const Answered = z.record(z.string(), z.record(z.string(), z.unknown()));
export type Answered = z.infer<typeof Answered>;

export type RequestStates = RequestStateCodec<Answered>;

/**
 * Answers travel through the client from one round to the next, signed and valid only for the caller that gave them.
 * A restart creates a new key, after which a call with open questions starts again.
 */
export function createRequestStates(): (context: CallContext) => RequestStates {
  const key = randomBytes(32);
  return (context) =>
    createRequestStateCodec<Answered>({
      key,
      bind: ({ mcpReq }) => `${mcpReq.method}\0${contextKey(context)}`,
    });
}

/** Equal for two requests exactly if one may continue what the other started. */
export function contextKey({ caller, workspace, agent }: CallContext): string {
  return [callerKey(caller), workspace, agent ?? ''].join('\0');
}
