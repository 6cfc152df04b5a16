/** Every expected failure, once. Each surface maps this closed union to its own form. */
export const ERROR_CODES = [
  'agent_not_found',
  'skill_not_found',
  'category_not_found',
  'published_tool_not_found',
  'brain_entry_not_found',
  'revision_not_found',
  'template_not_found',
  'workspace_not_found',
  'token_not_found',
  'question_not_found',
  'tool_not_found',
  'upstream_not_found',
  'document_not_found',
  'route_not_found',
  'invalid_arguments',
  'invalid_format',
  'unauthorized',
  'foreign_origin',
  'foreign_host',
  'out_of_scope',
  'untrusted',
  'read_only',
  'already_exists',
  'too_large',
  'conflict',
  'agent_error',
  'tool_error',
  'timeout',
  'budget_exceeded',
  'rate_limited',
  'permission_denied',
  'no_provider',
  'provider_error',
  'run_not_found',
  'job_not_found',
  'chat_not_found',
  'team_not_found',
  'member_not_found',
  'message_not_found',
  'unreachable_member',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export type ErrorDetails = Record<string, unknown>;

export class ZooError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, details?: ErrorDetails) {
    super(message);
    this.name = 'ZooError';
    this.code = code;
    this.details = details;
  }

  /** Compares by name, because the command and its chunks are bundled separately, each with a copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ZooError';
  }
}
