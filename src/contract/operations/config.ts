import * as z from 'zod';
import { TrustState } from '../workspace.ts';
import type { Operation } from '../table/operation.ts';

const tag = 'hub';
const unary = { kind: 'unary', tag, access: 'operator' } as const;

const Name = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    'must be 1 to 64 letters, digits, `-` or `_`, and begin with a letter or digit',
  );
const Text = z.string().trim().min(1).max(4000);
const Globs = z.array(z.string().min(1)).optional();

/** A server as another client's config has it. */
export const FoundServer = z.strictObject({
  name: z.string(),
  /** Where it was found, for messages. */
  from: z.string(),
  /** Its entry, as parsed. */
  given: z.unknown(),
  /** The folder that the client would start it in. */
  folder: z.string().optional(),
});
export type FoundServer = z.infer<typeof FoundServer>;

/** A knowledge source to add. */
export const NewSource = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('filesystem'),
    name: Name,
    root: Text,
    include_globs: Globs,
    exclude_globs: Globs,
  }),
  z.strictObject({
    type: z.literal('git'),
    name: Name,
    url: Text,
    branch: Text.optional(),
    root: Text.optional(),
    include_globs: Globs,
  }),
  z.strictObject({
    type: z.literal('web'),
    name: Name,
    url: Text,
    max_pages: z.int().min(1).max(100_000).optional(),
    max_depth: z.int().min(0).max(100).optional(),
  }),
]);
export type NewSource = z.infer<typeof NewSource>;

/** One change to a config file. Everything else in it, comments included, stays as it is. */
export const ConfigChange = z.discriminatedUnion('kind', [
  /** Servers from pasted `mcpServers` (JSON), `[mcp_servers.NAME]` or `[tools.mcp.NAME]` (TOML). */
  z.strictObject({ kind: z.literal('paste-servers'), text: z.string().max(500_000) }),
  z.strictObject({
    kind: z.literal('add-servers'),
    servers: z.array(FoundServer).min(1).max(1000),
    /** Fails if one of them cannot be added, instead of skipping it. */
    all: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('switch-server'), name: z.string(), disabled: z.boolean() }),
  z.strictObject({ kind: z.literal('remove-server'), name: z.string() }),
  z.strictObject({ kind: z.literal('add-source'), source: NewSource }),
  z.strictObject({ kind: z.literal('remove-source'), id: z.string() }),
  /** Undoes a change by restoring the whole previous text. */
  z.strictObject({ kind: z.literal('restore'), text: z.string().max(1_000_000) }),
]);
export type ConfigChange = z.infer<typeof ConfigChange>;

/** The config of the workspace, or the user's own. */
export const ConfigTarget = z.enum(['workspace', 'user']);
export type ConfigTarget = z.infer<typeof ConfigTarget>;

export const ConfigEdit = z.strictObject({
  file: z.string(),
  exists: z.boolean(),
  before: z.string(),
  after: z.string(),
  /** What the change adds, with notes such as a secret that became a variable. */
  added: z.array(z.strictObject({ name: z.string(), from: z.string(), notes: z.array(z.string()) })),
  skipped: z.array(z.strictObject({ name: z.string(), from: z.string(), why: z.string() })),
  /** Only what is added, as a file of its own. */
  snippet: z.string(),
  /** Names `before`: with it, the change is applied only if the file is still the same. */
  hash: z.string(),
  /** Of the workspace, now: additions run once it is approved. `own` needs no approval. */
  trust: TrustState,
});
export type ConfigEdit = z.infer<typeof ConfigEdit>;

const body = z.strictObject({ change: ConfigChange, target: ConfigTarget });

export const operations = {
  previewConfig: {
    ...unary,
    summary: 'Show how a change to a config file would look; writes nothing',
    method: 'POST',
    path: '/api/config/preview',
    body,
    output: ConfigEdit,
    status: 200,
    errors: ['invalid_arguments', 'already_exists', 'upstream_not_found'],
  },
  applyConfig: {
    ...unary,
    summary: 'Change a config file: add, switch or remove upstream servers and knowledge sources',
    method: 'POST',
    path: '/api/config/apply',
    body: body.extend({
      /** Of the preview: fails with a conflict if the file has changed since. */
      hash: z.string().optional(),
    }),
    output: ConfigEdit,
    status: 200,
    errors: ['invalid_arguments', 'already_exists', 'upstream_not_found', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
