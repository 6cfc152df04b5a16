import {
  isCallToolResult,
  type JSONRPCErrorResponse,
  type JSONRPCResponse,
  ProtocolErrorCode,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { ToolResult } from '../../../contract/tool.ts';
import { isFields } from './call-request.ts';

/** The response to a call that bypassed the SDK: the same that the SDK sends. */
export function responseOf(id: RequestId, result: ToolResult): JSONRPCResponse {
  if (isPlainText({ ...result }) || isCallToolResult(result)) {
    return { jsonrpc: '2.0', id, result: { ...result } };
  }
  return failed(id, ProtocolErrorCode.InvalidParams, 'Invalid tools/call result');
}

export function failureOf(id: RequestId, error: unknown): JSONRPCErrorResponse {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const message = error instanceof Error ? error.message : 'Internal error';
  return failed(id, Number.isSafeInteger(code) ? Number(code) : ProtocolErrorCode.InternalError, message);
}

const failed = (id: RequestId, code: number, message: string): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** Most results; the SDK's schema costs as much as the rest of a call. */
function isPlainText({ content, structuredContent, isError, ...rest }: Record<string, unknown>): boolean {
  for (const key in rest) if (key !== '_meta' || !isFields(rest[key])) return false;
  if (structuredContent !== undefined && !isFields(structuredContent)) return false;
  if (isError !== undefined && typeof isError !== 'boolean') return false;
  return Array.isArray(content) && content.every(isTextBlock);
}

function isTextBlock(block: unknown): boolean {
  if (!isFields(block)) return false;
  for (const key in block) if (key !== 'type' && key !== 'text') return false;
  return block['type'] === 'text' && typeof block['text'] === 'string';
}
