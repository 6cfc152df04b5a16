/** @typedef {import('../src/contract/errors.ts').ErrorCode} ErrorCode */

/** @type {Record<ErrorCode, string>} when each of them is answered */
const when = {
  agent_not_found: 'No agent that the caller sees has this id, or it is deleted',
  skill_not_found: 'The agent has no such skill',
  category_not_found: 'The agent has no such skill category',
  published_tool_not_found: 'The agent publishes no such tool',
  brain_entry_not_found: 'The agent has no such memory',
  revision_not_found: 'The agent never had this revision',
  template_not_found: 'There is no such template',
  workspace_not_found: 'The folder does not exist, or the id was never given to one',
  token_not_found: 'There is no such token; it may be revoked already',
  question_not_found: 'no question of this id, or it was settled more than 30 days ago',
  tool_not_found: 'There is no such tool',
  upstream_not_found: 'No config that the caller sees has an upstream MCP server of this name.',
  document_not_found: 'There is no such document in the knowledge base',
  route_not_found: 'The hub has nothing under this method and path',
  invalid_arguments: 'A field is missing, wrong or unknown; `details.issues` names each',
  invalid_format: 'The body is not JSON or not said to be, or a file is not what it should be',
  unauthorized: 'There is no token or session, or it is not valid',
  foreign_origin: 'The request comes from a page of another site',
  foreign_host: "The `Host` is none of the hub's: see `[server] allowed_hosts`",
  out_of_scope: 'The token is bound to an agent, and this is beyond what that agent may reach',
  untrusted: 'It would run something of a workspace that is not approved',
  read_only:
    'The agent lives in a file and is changed there; `details.copy` says how to copy it into the editor',
  already_exists: 'The id is taken, possibly by a deleted agent',
  too_large: 'The body is larger than the operation takes',
  conflict: 'The write names a revision that is not the current one, or what was shown has changed since',
  agent_error: 'An agent failed while it was resolved',
  tool_error: 'A tool failed',
  timeout: 'It took longer than it may',
  budget_exceeded: 'The budget does not allow another call',
  rate_limited: 'Too many requests; the message says when to try again',
  permission_denied: 'A person or a rule of the agent does not allow the call',
  no_provider: 'No model provider is configured, or none has this model',
  provider_error: 'The model provider failed or declined',
  run_not_found: 'No such run, or not visible to this caller',
  job_not_found: 'No such job, or not visible to this caller',
  chat_not_found: 'No such chat, or not visible to this caller',
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
