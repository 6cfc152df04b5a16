import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type JSONRPCMessage,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  SERVER_INFO_META_KEY,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import type { CallContext } from '../../../contract/call.ts';
import { ZooError } from '../../../contract/errors.ts';
import type { Hub } from '../../../hub/hub.ts';
import { type CallMessage, type CallRequest, Envelope } from '../serving/call-request.ts';
import { failureOf, responseOf } from '../serving/call-response.ts';
import type { McpLog } from '../serving/error-form.ts';
import { identityOf } from '../serving/identity.ts';
import { OpenRound } from '../serving/tool-call.ts';
import { callTool } from '../serving/tools.ts';
import type { Exchange } from './exchange.ts';
import { PostAnswer } from './post-answer.ts';

const REVISION = '2026-07-28';
const GONE = new ZooError('tool_error', 'The client disconnected.');
const STOPPING = new ZooError('tool_error', 'The hub is stopping.');

/**
 * `tools/call` of the newest revision without a server of its own: creating one per request costs several
 * times as much as the call. Handles only well-formed calls; the SDK answers all others, and sends questions.
 */
export interface SingleCalls {
  /** Whether this is a call to answer here: its headers and its envelope are in order. */
  accepts(exchange: Exchange, call: CallMessage): boolean;
  /** `sendRound` has the SDK send questions instead of a result. */
  answer(exchange: Exchange, call: CallMessage, context: CallContext, sendRound: SendRound): Promise<void>;
  close(): void;
}

export type SendRound = (round: OpenRound) => Promise<{ status: number; message: JSONRPCMessage }>;

export function createSingleCalls(hub: Hub, log: McpLog): SingleCalls {
  const running = new Set<AbortController>();

  /** Aborts when the client disconnects or the hub stops. */
  function follow(exchange: Exchange): AbortController {
    const controller = new AbortController();
    running.add(controller);
    exchange.onClose(() => {
      if (running.delete(controller)) controller.abort(GONE);
    });
    return controller;
  }

  return {
    accepts,

    async answer(exchange, call, context, sendRound) {
      const { id, name, args } = call;
      const answer = new PostAnswer(exchange, undefined, [id], false);
      const controller = follow(exchange);
      const served = { hub, log, era: 'modern' as const, context: { ...context, surface: 'mcp' as const } };
      let status = 200;
      let message: JSONRPCMessage;
      try {
        const outcome = await callTool(served, requestOf(call, answer, controller.signal), name, args);
        if (outcome instanceof OpenRound) ({ status, message } = await sendRound(outcome));
        else message = completed(id, responseOf(id, outcome), (await identityOf(hub, context)).info);
      } catch (error) {
        message = failureOf(id, error);
      }
      running.delete(controller);
      if (controller.signal.aborted) answer.giveUp();
      else answer.respond(id, message, status);
    },

    close() {
      for (const controller of running) controller.abort(STOPPING);
      running.clear();
    },
  };
}

function accepts({ headers }: Exchange, { name, meta = {} }: CallMessage): boolean {
  return (
    meta[PROTOCOL_VERSION_META_KEY] === REVISION &&
    headers.get('mcp-protocol-version') === REVISION &&
    headers.get('mcp-method') === 'tools/call' &&
    headers.get('mcp-name') === name &&
    isValidEnvelope(meta)
  );
}

function isValidEnvelope(meta: Readonly<Record<string, unknown>>): boolean {
  const info = meta[CLIENT_INFO_META_KEY];
  const { ClientCapabilities, Implementation } = specTypeSchemas;
  return (
    !ClientCapabilities['~standard'].validate(meta[CLIENT_CAPABILITIES_META_KEY]).issues &&
    (info === undefined || !Implementation['~standard'].validate(info).issues) &&
    Envelope.safeParse(meta).success
  );
}

function requestOf({ meta = {} }: CallMessage, answer: PostAnswer, signal: AbortSignal): CallRequest {
  const never = (): Promise<never> => Promise.reject(new Error('this revision has no requests to clients'));
  return {
    meta,
    signal,
    answered: {},
    capabilities: () => Envelope.parse(meta)[CLIENT_CAPABILITIES_META_KEY] ?? {},
    clientName: () => Envelope.parse(meta)[CLIENT_INFO_META_KEY]?.name ?? null,
    logLevel: () => Envelope.parse(meta)[LOG_LEVEL_META_KEY] ?? null,
    notify: async (notification) => answer.tell({ jsonrpc: '2.0', ...notification }),
    ask: never,
    tellCompleted: never,
  };
}

/** Adds the fields that the newest revision requires in every result. */
function completed(id: RequestId, response: JSONRPCMessage, info: Implementation): JSONRPCMessage {
  if (!('result' in response)) return response;
  const { result } = response;
  const { _meta: meta } = result;
  const _meta = { [SERVER_INFO_META_KEY]: info, ...meta };
  return { jsonrpc: '2.0', id, result: { ...result, resultType: 'complete', _meta } };
}
