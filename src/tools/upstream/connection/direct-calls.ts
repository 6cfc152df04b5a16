import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  specTypeSchemas,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { Era } from './link.ts';
import { CAPABILITIES, CLIENT_INFO } from './server-client.ts';
import type { StdioTransport } from './stdio-transport.ts';
import { asError } from '../../../platform/text/error-message.ts';

/** The SDK's client counts its requests from 0. Small enough for servers that read ids as 32-bit numbers. */
const FIRST_ID = 1_000_000_000;

type Fields = Record<string, unknown>;

/**
 * `tools/call` to a process, without the SDK's client: that validates every message several times and costs more
 * than everything else about a small call. Results and errors are the same as from `client.callTool`.
 */
export interface DirectCalls {
  call(params: Fields, signal: AbortSignal): Promise<Fields>;
}

export interface DirectCallsOptions {
  era: Era;
  /** The negotiated protocol version. */
  version: string;
  closed: Promise<unknown>;
}

interface Pending {
  resolve(result: Fields): void;
  reject(error: Error): void;
}

export function createDirectCalls(
  transport: Pick<StdioTransport, 'send' | 'intercept'>,
  { era, version, closed }: DirectCallsOptions,
): DirectCalls {
  const pending = new Map<unknown, Pending>();
  let nextId = FIRST_ID;
  const envelope =
    era === 'legacy'
      ? {}
      : {
          [PROTOCOL_VERSION_META_KEY]: version,
          [CLIENT_INFO_META_KEY]: CLIENT_INFO,
          [CLIENT_CAPABILITIES_META_KEY]: CAPABILITIES,
        };
  const withEnvelope = (params: Fields): Fields =>
    era === 'legacy' ? params : { ...params, _meta: { ...envelope, ...asFields(params['_meta']) } };

  transport.intercept = (message) => {
    const waiting = 'id' in message && !('method' in message) ? pending.get(message.id) : undefined;
    if (!waiting) return false;
    try {
      waiting.resolve(readResponse(message, era));
    } catch (error) {
      waiting.reject(asError(error));
    }
    return true;
  };
  const failAll = (): void => {
    const error = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    for (const waiting of pending.values()) waiting.reject(error);
  };
  void closed.then(failAll);

  return {
    call(params, signal) {
      const id = nextId;
      nextId += 1;
      return new Promise<Fields>((resolve, reject) => {
        const settle = (): void => {
          pending.delete(id);
          signal.removeEventListener('abort', cancel);
        };
        const cancel = (): void => {
          const reason = String(signal.reason);
          const notice = withEnvelope({ requestId: id, reason });
          void transport
            .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: notice })
            .catch(() => undefined);
          waiting.reject(new SdkError(SdkErrorCode.RequestTimeout, reason));
        };
        const waiting: Pending = {
          resolve(result) {
            settle();
            resolve(result);
          },
          reject(error) {
            settle();
            reject(error);
          },
        };
        pending.set(id, waiting);
        signal.addEventListener('abort', cancel, { once: true });
        transport
          .send({ jsonrpc: '2.0', id, method: 'tools/call', params: withEnvelope(params) })
          .catch((error: Error) => waiting.reject(error));
      });
    },
  };
}

const RpcError = z.looseObject({ code: z.number().int(), message: z.string(), data: z.unknown().optional() });

/** The result of a response. Throws the server's error, or one about a response that is invalid. */
function readResponse(message: JSONRPCMessage, era: Era): Fields {
  if ('error' in message) {
    const { success, data } = RpcError.safeParse(message.error);
    if (success) throw ProtocolError.fromError(data.code, data.message, data.data);
  }
  const raw = 'result' in message ? message.result : undefined;
  if (!isFields(raw)) throw invalid('not an object');
  const { resultType, ...result } = raw;
  if (era === 'modern') {
    if (resultType === 'input_required') return raw;
    if (resultType !== 'complete') throw invalid(`unsupported resultType ${JSON.stringify(resultType)}`);
  }
  const parsed = specTypeSchemas.CallToolResult['~standard'].validate(result);
  if (parsed.issues) throw invalid(parsed.issues.map((issue) => issue.message).join('; '));
  return parsed.value;
}

const invalid = (why: string): SdkError =>
  new SdkError(SdkErrorCode.InvalidResult, `Invalid result for tools/call: ${why}`);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asFields = (value: unknown): Fields => (isFields(value) ? value : {});
