import * as z from 'zod';
import type { Operation } from '../table/operation.ts';

const tag = 'tools';

/** An upstream MCP server: `[tools.mcp.NAME]` of a config that the caller sees. */
export const UpstreamStatus = z.strictObject({
  name: z.string(),
  /** The workspace whose config has it; null for the user's own. */
  workspace: z.string().nullable(),
  state: z.enum(['idle', 'starting', 'ready', 'failed', 'disabled', 'untrusted']),
  transport: z.enum(['stdio', 'http']),
  /** The command or URL, as the config has it: variables are not filled in. */
  target: z.string(),
  /** False where each client has one of its own. */
  shared: z.boolean(),
  /** Processes or connections that are there now. */
  running: z.int().min(0),
  pid: z.int().nullable(),
  /** What it calls itself. */
  title: z.string().nullable(),
  /** `modern` speaks the revision 2026-07-28, `legacy` one of 2025; null while nobody has talked to it. */
  era: z.enum(['legacy', 'modern']).nullable(),
  /** What it offers, as of the last time that it was asked. */
  tools: z.int().min(0).nullable(),
  prompts: z.int().min(0).nullable(),
  resources: z.int().min(0).nullable(),
  /** Tools that it has changed since they were accepted or last used; with `pin`, they are held back. */
  changed: z.array(z.string()),
  pinned: z.boolean(),
  /** What went wrong last, and what to do about it. */
  error: z.string().nullable(),
  /** When its state began. */
  since: z.string().nullable(),
});
export type UpstreamStatus = z.infer<typeof UpstreamStatus>;

/** A tool that its server has changed, as JSON before and after. */
export const ChangedTool = z.strictObject({
  tool: z.string(),
  /** Null for a new tool of a pinned server. */
  before: z.string().nullable(),
  after: z.string(),
});
export type ChangedTool = z.infer<typeof ChangedTool>;

/** How signing in goes: where to go, and whether it has been done. */
export const UpstreamLogin = z.strictObject({
  state: z.enum(['none', 'waiting', 'done', 'failed']),
  /** To be opened in a browser on the machine of the hub, while it waits. */
  url: z.string().nullable(),
  error: z.string().nullable(),
});
export type UpstreamLogin = z.infer<typeof UpstreamLogin>;

const params = z.object({ name: z.string() });
const output = z.strictObject({ upstreams: z.array(UpstreamStatus) });

export const operations = {
  listUpstreams: {
    kind: 'unary',
    tag,
    summary: 'List the upstream MCP servers and their state',
    method: 'GET',
    path: '/api/upstreams',
    access: 'operator',
    output,
    status: 200,
    errors: [],
  },
  checkUpstreams: {
    kind: 'unary',
    tag,
    summary: 'Start or connect to all upstream servers, or one, and return the result',
    method: 'POST',
    path: '/api/upstreams/check',
    access: 'operator',
    body: z.strictObject({ name: z.string().optional() }),
    bodyOptional: true,
    output,
    status: 200,
    errors: ['upstream_not_found', 'invalid_arguments'],
  },
  restartUpstream: {
    kind: 'unary',
    tag,
    summary: 'Restart an upstream server: stop its processes or connections and start one now',
    method: 'POST',
    path: '/api/upstreams/{name}/restart',
    access: 'operator',
    params,
    output,
    status: 200,
    errors: ['upstream_not_found', 'untrusted'],
  },
  listToolChanges: {
    kind: 'unary',
    tag,
    summary: 'List the tools that an upstream server has changed since they were accepted or last used',
    method: 'GET',
    path: '/api/upstreams/{name}/changes',
    access: 'operator',
    params,
    output: z.strictObject({ changes: z.array(ChangedTool) }),
    status: 200,
    errors: ['upstream_not_found', 'untrusted'],
  },
  acceptTools: {
    kind: 'unary',
    tag,
    summary: 'Accept one or all changed tools of an upstream server',
    method: 'POST',
    path: '/api/upstreams/{name}/accept',
    access: 'operator',
    params,
    body: z.strictObject({ tool: z.string().optional() }),
    bodyOptional: true,
    output: z.strictObject({ accepted: z.array(ChangedTool) }),
    status: 200,
    errors: ['upstream_not_found', 'tool_not_found', 'invalid_arguments', 'untrusted', 'tool_error'],
  },
  loginUpstream: {
    kind: 'unary',
    tag,
    summary: 'Start an OAuth sign-in to an upstream server; returns the page to open',
    method: 'POST',
    path: '/api/upstreams/{name}/login',
    access: 'operator',
    params,
    output: UpstreamLogin,
    status: 200,
    errors: ['upstream_not_found', 'invalid_arguments', 'tool_error', 'untrusted'],
  },
  getUpstreamLogin: {
    kind: 'unary',
    tag,
    summary: 'Wait for a sign-in to an upstream server to finish, and return its state',
    method: 'GET',
    path: '/api/upstreams/{name}/login',
    access: 'operator',
    params,
    output: UpstreamLogin,
    status: 200,
    errors: ['upstream_not_found', 'untrusted'],
  },
  logoutUpstream: {
    kind: 'unary',
    tag,
    summary: 'Delete the OAuth tokens for an upstream server',
    method: 'DELETE',
    path: '/api/upstreams/{name}/login',
    access: 'operator',
    params,
    output: UpstreamLogin,
    status: 200,
    errors: ['upstream_not_found', 'untrusted'],
  },
} as const satisfies Record<string, Operation>;
