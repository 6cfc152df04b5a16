/** @typedef {import('../src/contract/errors.ts').ErrorCode} ErrorCode */

/** @type {Record<ErrorCode, string>} when each of them occurs */
const when = {
  agent_not_found: 'No agent with this id is visible to the caller, or it is deleted',
  skill_not_found: 'The agent has no such skill',
  category_not_found: 'The agent has no such skill category',
  published_tool_not_found: 'The agent publishes no such tool',
  brain_entry_not_found: 'The agent has no such memory',
  revision_not_found: 'The agent never had this revision',
  template_not_found: 'No such template',
  workspace_not_found: 'No such folder, or no workspace with this id',
  token_not_found: 'No such token; it may already be revoked',
  question_not_found: 'No such question, or it was settled more than 30 days ago',
  tool_not_found: 'No such tool',
  upstream_not_found: 'No upstream MCP server with this name is visible to the caller',
  document_not_found: 'No such document in the knowledge base',
  route_not_found: 'No route for this method and path',
  invalid_arguments: 'A field is missing, invalid or unknown; `details.issues` lists them',
  invalid_format: 'The body is not JSON, its `Content-Type` is wrong, or a file has the wrong format',
  unauthorized: 'The token is missing or invalid',
  foreign_origin: 'The request comes from a page on another origin',
  foreign_host: "The `Host` header is not the hub's; see `[server] allowed_hosts`",
  out_of_scope: 'The token is bound to an agent, and the agent has no access to this',
  untrusted: 'The workspace is not approved, and this would run something from it',
  read_only:
    'The agent is defined in a file and must be changed there; `details.copy` says how to copy it into the editor',
  already_exists: 'The id is taken, possibly by a deleted agent',
  too_large: 'The body exceeds the size limit',
  conflict: 'The revision of the write is not the current one, or the content has changed since it was shown',
  agent_error: 'An agent failed while it was resolved',
  tool_error: 'A tool failed',
  timeout: 'The time limit was exceeded',
  budget_exceeded: 'The budget does not allow another call',
  rate_limited: 'Too many requests; the message says when to try again',
  permission_denied: 'A person or a rule of the agent denied the call',
  no_provider: 'No model provider is configured, or none has this model',
  provider_error: 'The model provider failed or declined',
  run_not_found: 'No such run, or not visible to this caller',
  job_not_found: 'No such job, or not visible to this caller',
  chat_not_found: 'No such chat, or not visible to this caller',
  team_not_found: 'No such team',
  member_not_found: 'No such member in the team',
  message_not_found: 'No such message in the team',
  unreachable_member: 'The recipient is not the parent, a child or a sibling, or its work is over',
  internal: "A bug; the hub's log has the details",
};

/** Those that an MCP client meets before it can call anything. */
const beforeMcp = /^(unauthorized|foreign_|route_)/;

/** @param {Pick<import('./docs-sources.js').Sources, 'ERROR_FORMS'>} sources */
export function renderErrors({ ERROR_FORMS }) {
  const rows = Object.entries(ERROR_FORMS).map(([code, form]) => {
    const mcp = beforeMcp.test(code) ? `(HTTP ${form.status})` : `\`${code.toUpperCase()}\``;
    const words = when[/** @type {ErrorCode} */ (code)];
    return `| \`${code}\` | ${form.status} | \`${form.code}\` | ${mcp} | ${words} |`;
  });
  return ['| error | HTTP | `error.code` | MCP | when |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
