import { randomBytes } from 'node:crypto';
import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { CallContext } from '../../../contract/call.ts';

/** What was answered in earlier rounds of a call. */
export const Answered = z.record(z.string(), z.record(z.string(), z.unknown()));
export type Answered = z.infer<typeof Answered>;

export type RequestStates = RequestStateCodec<Answered>;

/**
 * Answers travel through the client from one round to the next: sealed, and good only for the caller that they were
 * given by. A restart makes a new key, after which a call that was in the middle of its questions begins anew.
 */
export function createRequestStates(): (context: CallContext) => RequestStates {
  const key = randomBytes(32);
  return (context) =>
    createRequestStateCodec<Answered>({
      key,
      bind: ({ mcpReq }) => `${mcpReq.method}\0${callerKey(context)}`,
    });
}

/** Equal for two requests exactly when one may go on with what the other began. */
export function callerKey({ caller, workspace, agent }: CallContext): string {
  const who = caller.kind === 'agent' ? `${caller.kind} ${caller.tokenId}` : caller.kind;
  return [who, workspace, agent ?? ''].join('\0');
}
