import * as z from 'zod';
import type { Operation } from '../table/operation.ts';

const tag = 'tools';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;

/** An upstream MCP server: `[tools.mcp.NAME]` of a config that the caller sees. */
export const UpstreamStatus = z.strictObject({
  name: z.string(),
  /** The workspace whose config has it; null for the user's own. */
  workspace: z.string().nullable(),
  state: z.enum(['idle', 'starting', 'ready', 'failed', 'disabled', 'untrusted']),
  transport: z.enum(['stdio', 'http']),
  /** The command or URL as written in the config, without filled-in variables. */
  target: z.string(),
  /** False if each client gets its own. */
  shared: z.boolean(),
  /** Number of running processes or open connections. */
  running: z.int().min(0),
  pid: z.int().nullable(),
  /** The name and version it reports. */
  title: z.string().nullable(),
  /** `modern` for revision 2026-07-28, `legacy` for those of 2025; null before the first connection. */
  era: z.enum(['legacy', 'modern']).nullable(),
  /** Its offers, as of the last connection. */
  tools: z.int().min(0).nullable(),
  prompts: z.int().min(0).nullable(),
  resources: z.int().min(0).nullable(),
  /** Tools that it has changed since they were accepted or last used; with `pin`, they are held back. */
  changed: z.array(z.string()),
  pinned: z.boolean(),
  /** The last error, and how to fix it. */
  error: z.string().nullable(),
  /** When it entered this state. */
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

/** State of a sign-in: the page to open, and whether it is finished. */
export const UpstreamLogin = z.strictObject({
  state: z.enum(['none', 'waiting', 'done', 'failed']),
  /** Must be opened in a browser on the hub's machine while it waits. */
  url: z.string().nullable(),
  error: z.string().nullable(),
});
export type UpstreamLogin = z.infer<typeof UpstreamLogin>;

const params = z.object({ name: z.string() });
const output = z.strictObject({ upstreams: z.array(UpstreamStatus) });

export const operations = {
  listUpstreams: {
    ...read,
    summary: 'List the upstream MCP servers and their state',
    path: '/api/upstreams',
    output,
    errors: [],
  },
  checkUpstreams: {
    ...unary,
    summary: 'Start or connect to all upstream servers, or one, and return the result',
    method: 'POST',
    path: '/api/upstreams/check',
    body: z.strictObject({ name: z.string().optional() }),
    bodyOptional: true,
    output,
    status: 200,
    errors: ['upstream_not_found', 'invalid_arguments'],
  },
  restartUpstream: {
    ...unary,
    summary: 'Restart an upstream server: stop its processes or connections and start one now',
    method: 'POST',
    path: '/api/upstreams/{name}/restart',
    params,
    output,
    status: 200,
    errors: ['upstream_not_found', 'untrusted'],
  },
  getUpstreamLog: {
    ...read,
    summary: 'Get the last lines that an upstream server printed, and where the hub looks for commands',
    path: '/api/upstreams/{name}/log',
    params,
    output: z.strictObject({
      text: z.string(),
      /** The PATH of the hub, one folder each. */
      searchPath: z.array(z.string()),
    }),
    errors: ['upstream_not_found', 'untrusted'],
  },
  listToolChanges: {
    ...read,
    summary: 'List the tools that an upstream server has changed since they were accepted or last used',
    path: '/api/upstreams/{name}/changes',
    params,
    output: z.strictObject({ changes: z.array(ChangedTool) }),
    errors: ['upstream_not_found', 'untrusted'],
  },
  acceptTools: {
    ...unary,
    summary: 'Accept one or all changed tools of an upstream server',
    method: 'POST',
    path: '/api/upstreams/{name}/accept',
    params,
    body: z.strictObject({ tool: z.string().optional() }),
    bodyOptional: true,
    output: z.strictObject({ accepted: z.array(ChangedTool) }),
    status: 200,
    errors: ['upstream_not_found', 'tool_not_found', 'invalid_arguments', 'untrusted', 'tool_error'],
  },
  loginUpstream: {
    ...unary,
    summary: 'Start an OAuth sign-in to an upstream server; returns the page to open',
    method: 'POST',
    path: '/api/upstreams/{name}/login',
    params,
    output: UpstreamLogin,
    status: 200,
    errors: ['upstream_not_found', 'invalid_arguments', 'tool_error', 'untrusted'],
  },
  getUpstreamLogin: {
    ...read,
    summary: 'Wait for a sign-in to an upstream server to finish, and return its state',
    path: '/api/upstreams/{name}/login',
    params,
    output: UpstreamLogin,
    errors: ['upstream_not_found', 'untrusted'],
  },
  logoutUpstream: {
    ...unary,
    summary: 'Delete the OAuth tokens for an upstream server',
    method: 'DELETE',
    path: '/api/upstreams/{name}/login',
    params,
    output: UpstreamLogin,
    status: 200,
    errors: ['upstream_not_found', 'untrusted'],
  },
} as const satisfies Record<string, Operation>;
