import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type ErrorCode, ZooError } from '../../../contract/errors.ts';
import type { ToolResult } from '../../../contract/tool.ts';

/** The one table from our errors to what MCP callers see. */
export const MCP_CODES = {
  agent_not_found: 'AGENT_NOT_FOUND',
  skill_not_found: 'SKILL_NOT_FOUND',
  category_not_found: 'CATEGORY_NOT_FOUND',
  published_tool_not_found: 'PUBLISHED_TOOL_NOT_FOUND',
  brain_entry_not_found: 'BRAIN_ENTRY_NOT_FOUND',
  revision_not_found: 'REVISION_NOT_FOUND',
  template_not_found: 'TEMPLATE_NOT_FOUND',
  workspace_not_found: 'WORKSPACE_NOT_FOUND',
  token_not_found: 'TOKEN_NOT_FOUND',
  tool_not_found: 'TOOL_NOT_FOUND',
  upstream_not_found: 'UPSTREAM_NOT_FOUND',
  document_not_found: 'DOCUMENT_NOT_FOUND',
  route_not_found: 'ROUTE_NOT_FOUND',
  invalid_arguments: 'INVALID_ARGUMENTS',
  invalid_format: 'INVALID_FORMAT',
  unauthorized: 'UNAUTHORIZED',
  foreign_origin: 'FOREIGN_ORIGIN',
  foreign_host: 'FOREIGN_HOST',
  out_of_scope: 'OUT_OF_SCOPE',
  untrusted: 'UNTRUSTED',
  read_only: 'READ_ONLY',
  already_exists: 'ALREADY_EXISTS',
  too_large: 'TOO_LARGE',
  conflict: 'CONFLICT',
  agent_error: 'AGENT_ERROR',
  tool_error: 'TOOL_ERROR',
  timeout: 'TIMEOUT',
  budget_exceeded: 'BUDGET_EXCEEDED',
  internal: 'INTERNAL',
} as const satisfies Record<ErrorCode, string>;

export interface McpLog {
  error(message: string, fields: Record<string, unknown>): void;
}

/**
 * What a failed tool answers. No `structuredContent`: it would have to fit the tool's schema, and clients that check
 * it would refuse the answer and with it the message.
 */
export function errorResult(error: ZooError): ToolResult {
  const body = { error: true, code: MCP_CODES[error.code], message: error.message };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }] };
}

const OURS: ReadonlySet<ErrorCode> = new Set(['internal', 'agent_error', 'tool_error', 'timeout']);

/** The same where MCP knows no results that are errors: prompts, resources, completions. */
export function protocolError(error: ZooError): ProtocolError {
  const kind = OURS.has(error.code) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(kind, error.message, { error: true, code: MCP_CODES[error.code] });
}

/** A failure as one of ours. What we did not expect is logged, and told without its details. */
export function asZooError(error: unknown, what: string, log: McpLog): ZooError {
  if (error instanceof ZooError && error.code !== 'internal') return error;
  log.error(`${what} failed`, { error });
  return new ZooError('internal', 'Something went wrong in the hub; its log says what (`zoo logs`)');
}
