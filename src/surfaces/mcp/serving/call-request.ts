import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type RequestId,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { CallContext } from '../../../contract/call.ts';
import type { ClientQuestion } from '../../../contract/tool.ts';
import type { Hub } from '../../../hub/hub.ts';
import { LOG_LEVELS, type LogLevel } from './log-level.ts';
import { Answered } from './request-state.ts';
import type { Served } from './served.ts';

type Fields = Record<string, unknown>;

/** The request of a call: its metadata, and the channels back to its client. */
export interface CallRequest {
  meta: Readonly<Fields> | undefined;
  signal: AbortSignal;
  /** The client's answers to questions of earlier rounds. */
  answered: Answered;
  capabilities(): Readonly<Fields>;
  /** The name that the client gives itself; null if it gives none. */
  clientName(): string | null;
  /** Log messages below this level are not sent; null for none at all. */
  logLevel(): LogLevel | null;
  notify(notification: { method: string; params: Fields }): Promise<void>;
  ask(question: Pick<ClientQuestion, 'method' | 'params'>, timeoutMs: number): Promise<Fields>;
  /** Reports that the user is done with a page. */
  tellCompleted(elicitationId: string): Promise<void>;
}

/** The SDK leaves the envelope of a request untyped. */
export const Envelope = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({}).optional(),
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string() }).optional(),
  [LOG_LEVEL_META_KEY]: z.enum(LOG_LEVELS).optional(),
});

/** A request that the SDK has received. */
export function requestFromSdk(served: Served, { mcpReq }: ServerContext): CallRequest {
  const { server, era } = served;
  const envelope = era === 'legacy' ? undefined : Envelope.safeParse(mcpReq.envelope).data;
  return {
    meta: mcpReq._meta,
    signal: mcpReq.signal,
    answered: era === 'legacy' ? {} : answersIn(mcpReq),
    capabilities: () =>
      (era === 'legacy' ? server.getClientCapabilities() : envelope?.[CLIENT_CAPABILITIES_META_KEY]) ?? {},
    clientName: () =>
      (era === 'legacy' ? server.getClientVersion() : envelope?.[CLIENT_INFO_META_KEY])?.name ?? null,
    logLevel: () => (era === 'legacy' ? served.logLevel : (envelope?.[LOG_LEVEL_META_KEY] ?? null)),
    notify: (notification) => mcpReq.notify(notification),
    ask: async (question, timeout) => ({
      ...(await mcpReq.send(question, { timeout, signal: mcpReq.signal })),
    }),
    tellCompleted: (id) => server.createElicitationCompletionNotifier(id)(),
  };
}

/** Records the client, for the list of connected clients. */
export function noteClient(hub: Pick<Hub, 'clientSeen'>, context: CallContext, request: CallRequest): void {
  const name = request.clientName();
  if (name !== null) hub.clientSeen(name, context);
}

function answersIn(mcpReq: ServerContext['mcpReq']): Answered {
  const earlier = Answered.safeParse(mcpReq.requestState()).data ?? {};
  const now = Answered.safeParse(mcpReq.inputResponses).data ?? {};
  return { ...earlier, ...now };
}

/** A request of a session that bypassed the SDK. */
export function requestOfSession(
  served: Served,
  { id, meta }: CallMessage,
  signal: AbortSignal,
): CallRequest {
  const { server } = served;
  return {
    meta,
    signal,
    answered: {},
    capabilities: () => server.getClientCapabilities() ?? {},
    clientName: () => server.getClientVersion()?.name ?? null,
    logLevel: () => served.logLevel,
    notify: (notification) => server.notification(notification, { relatedRequestId: id }),
    ask: async (question, timeout) => ({
      ...(await server.request(question, { timeout, signal, relatedRequestId: id })),
    }),
    tellCompleted: (elicitationId) => server.createElicitationCompletionNotifier(elicitationId)(),
  };
}

/** A `tools/call` as most clients send it. */
export interface CallMessage {
  id: RequestId;
  name: string;
  args: Fields;
  meta: Fields | undefined;
}

const MESSAGE_KEYS = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAMS_KEYS = new Set(['name', 'arguments', '_meta']);

/**
 * A well-formed `tools/call` without anything unusual; null for everything else, which the SDK reads.
 * Hand-written: the SDK's schemas run a dozen times per call, and cost more than the call itself.
 */
export function parseCall(body: unknown): CallMessage | null {
  if (!isFields(body) || body['jsonrpc'] !== '2.0' || body['method'] !== 'tools/call') return null;
  const { id, params } = body;
  if (!isId(id) || !isFields(params)) return null;
  const { name, arguments: args = {}, _meta: meta } = params;
  if (typeof name !== 'string' || !isFields(args) || !hasOnly(body, MESSAGE_KEYS)) return null;
  if (!hasOnly(params, PARAMS_KEYS)) return null;
  if (meta === undefined) return { id, name, args, meta };
  if (!isFields(meta)) return null;
  const { progressToken } = meta;
  return progressToken === undefined || isId(progressToken) ? { id, name, args, meta } : null;
}

const isId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isSafeInteger(value);

function hasOnly(fields: Fields, allowed: ReadonlySet<string>): boolean {
  for (const key in fields) if (!allowed.has(key)) return false;
  return true;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
