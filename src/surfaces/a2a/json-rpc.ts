import { JsonRpcTransportHandler, type A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { A2A_ERROR_CODE, VersionNotSupportedError } from '@a2a-js/sdk/errors';
import * as z from 'zod';
import { PROTOCOL_VERSIONS } from './agent-card.ts';
import { hideUnexpected } from './errors.ts';
import { jsonReply, streamReply } from './reply.ts';

export interface TransportOptions {
  handler: A2ARequestHandler;
  version: string;
  stop(): void;
  log(error: unknown): void;
}

type Id = string | number | null;

const JsonRpcRequest = z.looseObject({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
});

/** Answers one JSON-RPC request. Failures are JSON-RPC errors with HTTP status 200. */
export async function answerJsonRpc(body: unknown, options: TransportOptions): Promise<Response> {
  const { handler, version, stop, log } = options;
  const isLegacy = version === '0.3';
  const id = idOf(body);
  const map = isLegacy
    ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError
    : JsonRpcTransportHandler.mapToJSONRPCError;
  const failure = (error: unknown) => ({ jsonrpc: '2.0', id, error: map(hideUnexpected(error, log)) });
  if (!PROTOCOL_VERSIONS.some((known) => known === version))
    return jsonReply(failure(new VersionNotSupportedError(`Version ${version} is not supported.`)));
  const request = JsonRpcRequest.safeParse(body);
  if (!request.success) {
    const message = `Not a JSON-RPC request: ${request.error.issues[0]?.path.join('.') || 'the body'} is invalid.`;
    return jsonReply({ jsonrpc: '2.0', id, error: { code: A2A_ERROR_CODE.INVALID_REQUEST, message } });
  }
  const transport = isLegacy
    ? new LegacyJsonRpcTransportHandler(handler)
    : new JsonRpcTransportHandler(handler);
  try {
    const answer = await transport.handle(request.data, new ServerCallContext({ requestedVersion: version }));
    if (!(Symbol.asyncIterator in answer)) return jsonReply(answer);
    return await streamReply({ items: answer, render: (item) => item, renderError: failure, stop });
  } catch (error) {
    return jsonReply(failure(error));
  }
}

export const malformedJson = (message: string): Response =>
  jsonReply({ jsonrpc: '2.0', id: null, error: { code: A2A_ERROR_CODE.PARSE_ERROR, message } });

function idOf(body: unknown): Id {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null;
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null;
}
