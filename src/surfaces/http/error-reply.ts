import { type ErrorCode, ZooError } from '../../contract/errors.ts';
import type { RawReply } from '../../contract/table/operation.ts';
import { API_HEADERS } from './headers.ts';

interface ErrorForm {
  status: number;
  code: string;
}

const notFound = { status: 404, code: 'not_found' } as const;
const badRequest = { status: 400, code: 'bad_request' } as const;
const forbidden = { status: 403, code: 'forbidden' } as const;

/** The one table from our error codes to HTTP statuses. */
export const ERROR_FORMS = {
  agent_not_found: notFound,
  skill_not_found: notFound,
  category_not_found: notFound,
  published_tool_not_found: notFound,
  brain_entry_not_found: notFound,
  revision_not_found: notFound,
  template_not_found: notFound,
  workspace_not_found: notFound,
  token_not_found: notFound,
  question_not_found: notFound,
  tool_not_found: notFound,
  upstream_not_found: notFound,
  document_not_found: notFound,
  route_not_found: notFound,
  invalid_arguments: badRequest,
  invalid_format: badRequest,
  unauthorized: { status: 401, code: 'unauthorized' },
  foreign_origin: forbidden,
  foreign_host: forbidden,
  out_of_scope: forbidden,
  untrusted: { status: 403, code: 'untrusted' },
  read_only: { status: 409, code: 'read_only' },
  already_exists: { status: 409, code: 'already_exists' },
  too_large: { status: 413, code: 'too_large' },
  conflict: { status: 409, code: 'conflict' },
  agent_error: { status: 500, code: 'agent_error' },
  tool_error: { status: 500, code: 'tool_error' },
  timeout: { status: 408, code: 'timeout' },
  budget_exceeded: { status: 429, code: 'budget_exceeded' },
  rate_limited: { status: 429, code: 'rate_limited' },
  permission_denied: { status: 403, code: 'permission_denied' },
  no_provider: { status: 503, code: 'no_provider' },
  provider_error: { status: 502, code: 'provider_error' },
  run_not_found: { status: 404, code: 'not_found' },
  job_not_found: { status: 404, code: 'not_found' },
  chat_not_found: { status: 404, code: 'not_found' },
  team_not_found: { status: 404, code: 'not_found' },
  member_not_found: { status: 404, code: 'not_found' },
  message_not_found: { status: 404, code: 'not_found' },
  unreachable_member: { status: 403, code: 'unreachable_member' },
  internal: { status: 500, code: 'internal' },
} as const satisfies Record<ErrorCode, ErrorForm>;

/** Where the public code is less specific than the internal one, `details.reason` has the internal one. */
export function errorReply(
  error: ZooError,
  headers: Record<string, string> = {},
  status: number = ERROR_FORMS[error.code].status,
): RawReply {
  return { status, headers: { ...API_HEADERS, ...headers }, body: JSON.stringify(errorBody(error)) };
}

export function errorBody(error: ZooError): object {
  const { code } = ERROR_FORMS[error.code];
  const details = code === error.code ? error.details : { ...error.details, reason: error.code };
  return { error: { code, message: error.message, details } };
}

/** Details of a bug are for the log alone. */
export const unexpected = (): ZooError => new ZooError('internal', 'Internal error. See the log: `zoo logs`');
