import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type ErrorCode, ZooError } from '../../../contract/errors.ts';
import type { ToolResult } from '../../../contract/tool.ts';

/** The one table from our error codes to those of MCP. */
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
  question_not_found: 'QUESTION_NOT_FOUND',
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
  rate_limited: 'RATE_LIMITED',
  permission_denied: 'PERMISSION_DENIED',
  no_provider: 'NO_PROVIDER',
  provider_error: 'PROVIDER_ERROR',
  run_not_found: 'RUN_NOT_FOUND',
  job_not_found: 'JOB_NOT_FOUND',
  chat_not_found: 'CHAT_NOT_FOUND',
  team_not_found: 'TEAM_NOT_FOUND',
  member_not_found: 'MEMBER_NOT_FOUND',
  message_not_found: 'MESSAGE_NOT_FOUND',
  unreachable_member: 'UNREACHABLE_MEMBER',
  internal: 'INTERNAL',
} as const satisfies Record<ErrorCode, string>;

export interface McpLog {
  error(message: string, fields: Record<string, unknown>): void;
}

/**
 * The result of a failed tool. It has no `structuredContent`, which would have to match the tool's schema: clients
 * that validate it would reject the result and hide the message.
 */
export function errorResult(error: ZooError): ToolResult {
  const body = { error: true, code: MCP_CODES[error.code], message: error.message };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }] };
}

const OURS: ReadonlySet<ErrorCode> = new Set(['internal', 'agent_error', 'tool_error', 'timeout']);

/** The same for prompts, resources and completions, whose failures are protocol errors. */
export function protocolError(error: ZooError): ProtocolError {
  const kind = OURS.has(error.code) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(kind, error.message, { error: true, code: MCP_CODES[error.code] });
}

/** Any failure as a `ZooError`. Unexpected ones are logged and reported without details. */
export function asZooError(error: unknown, what: string, log: McpLog): ZooError {
  if (error instanceof ZooError && error.code !== 'internal') return error;
  log.error(`${what} failed`, { error });
  return new ZooError('internal', 'Internal error. See the log: `zoo logs`');
}
