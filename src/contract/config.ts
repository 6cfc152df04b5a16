import * as z from 'zod';
import {
  A2ASkill,
  AgentArgumentInput,
  AgentMode,
  ContextQuery,
  PublishedToolInputs,
  SkillCategoryInput,
  ToolApprovals,
  ToolPermission,
} from './agent.ts';

/** All sections and keys of `zoo.toml` and `ctx.toml`. Keys are snake_case. */

const strings = z.array(z.string());
const named = <S extends z.ZodType>(schema: S) => z.record(z.string(), schema);
const seconds = z.number().positive();

const InlineSkill = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  description: z.string().optional(),
  enabled: z.boolean().optional(),
  category: z.string().optional(),
  requires: strings.optional(),
});

export const InlineAgent = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  version: z.string().optional(),
  mode: AgentMode.optional(),
  system_prompt: z.string().optional(),
  tools: strings.optional(),
  sources: strings.optional(),
  arguments: z.array(AgentArgumentInput).optional(),
  context: z.array(ContextQuery).optional(),
  context_refs: strings.optional(),
  context_tokens: z.int().min(0).max(1_000_000).optional(),
  skill_categories: z.array(SkillCategoryInput).optional(),
  skills: z.array(InlineSkill).optional(),
  published_tools: PublishedToolInputs.optional(),
  model: z.union([z.string(), strings]).optional(),
  tool_permission: ToolPermission.optional(),
  tool_approvals: ToolApprovals.optional(),
  a2a_skills: z.array(A2ASkill).optional(),
  appearance_seed: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type InlineAgent = z.infer<typeof InlineAgent>;

/** A script or module. Unknown keys are its own settings and are passed to it as `config`. */
export const Script = z.looseObject({
  path: z.string(),
  timeout: seconds.optional(),
  memory_mb: z.number().positive().optional(),
  allow_hosts: strings.optional(),
  allow_env: strings.optional(),
});
export type Script = z.infer<typeof Script>;

export const ScriptAgent = Script.extend({ sources: strings.optional() });
export type ScriptAgent = z.infer<typeof ScriptAgent>;

const UpstreamServer = z
  .strictObject({
    command: z.string().optional(),
    args: strings.optional(),
    env: named(z.string()).optional(),
    cwd: z.string().optional(),
    url: z.string().optional(),
    headers: named(z.string()).optional(),
    shared: z.boolean().optional(),
    idle_seconds: seconds.optional(),
    timeout: seconds.optional(),
    /** Hold back tools that the server has changed or added, until they are accepted. */
    pin: z.boolean().optional(),
    disabled: z.boolean().optional(),
  })
  .refine((server) => (server.command === undefined) !== (server.url === undefined), {
    message: 'needs either `command` or `url`',
  });

const globs = { include_globs: strings.optional(), exclude_globs: strings.optional() };

const Connectors = z.strictObject({
  filesystem: named(
    z.strictObject({ root: z.string(), ...globs, follow_symlinks: z.boolean().optional() }),
  ).optional(),
  git: named(
    z.strictObject({
      url: z.string(),
      branch: z.string().optional(),
      root: z.string().optional(),
      ...globs,
      shallow: z.boolean().optional(),
      cache_dir: z.string().optional(),
    }),
  ).optional(),
  web: named(
    z
      .strictObject({
        url: z.string().optional(),
        sitemap: z.string().optional(),
        llms_txt: z.string().optional(),
        pages: strings.optional(),
        max_depth: z.int().min(0).optional(),
        max_pages: z.int().min(1).optional(),
        hosts: strings.optional(),
        headers: named(z.string()).optional(),
        ...globs,
      })
      .refine(
        ({ url, sitemap, llms_txt, pages }) =>
          [url, sitemap, llms_txt, pages?.[0]].some((at) => at !== undefined),
        {
          message: 'needs one of `url`, `sitemap`, `llms_txt` or `pages`',
        },
      ),
  ).optional(),
  s3: named(
    z.strictObject({
      bucket: z.string(),
      prefix: z.string().optional(),
      region: z.string().optional(),
      endpoint_url: z.string().optional(),
      ...globs,
    }),
  ).optional(),
  script: named(Script).optional(),
});

/** A model API: a built-in provider, or any OpenAI-compatible endpoint. Prices are USD per million tokens. */
const Provider = z.strictObject({
  kind: z.enum(['anthropic', 'openai', 'google', 'openrouter', 'ollama']).optional(),
  base_url: z.string().optional(),
  api_key: z.string().optional(),
  headers: named(z.string()).optional(),
  models: named(
    z.strictObject({
      context_window: z.int().min(1_000).optional(),
      input_price: z.number().min(0).optional(),
      cached_price: z.number().min(0).optional(),
      output_price: z.number().min(0).optional(),
      images: z.boolean().optional(),
    }),
  ).optional(),
});
export type ProviderConfig = z.infer<typeof Provider>;

const BudgetLimit = z.strictObject({
  tokens: z.int().min(0).optional(),
  usd: z.number().min(0).optional(),
});

export const Config = z.strictObject({
  server: z.strictObject({ bind: z.string().optional(), allowed_hosts: strings.optional() }).optional(),
  db: z.strictObject({ path: z.string().optional(), url: z.string().optional() }).optional(),
  workspace: z
    .strictObject({ default_agent: z.string().optional(), suggested: strings.optional() })
    .optional(),
  markdown: z.strictObject({ folders: strings.optional() }).optional(),
  mcp: z.strictObject({ editing: z.boolean().optional() }).optional(),
  a2a: z
    .strictObject({
      /** The agent of the card at `/.well-known/agent-card.json`. */
      default: z.string().optional(),
      /** The address of the hub as other agents reach it, for its cards. */
      url: z
        .string()
        .regex(/^https?:\/\/\S+$/, 'must be an http or https address')
        .optional(),
      /** Who offers the agents, for their cards. */
      provider: z.strictObject({ name: z.string(), url: z.string() }).optional(),
      /** Hours without a message after which a context ends. */
      context_hours: z.number().min(0).optional(),
      /** Hosts on a private network to which tasks may be reported. */
      push_hosts: strings.optional(),
    })
    .optional(),
  chunking: z
    .strictObject({ max_tokens: z.int().min(16).optional(), overlap_tokens: z.int().min(0).optional() })
    .optional(),
  retrieval: z
    .strictObject({
      final_limit: z.int().min(1).optional(),
      mode: z.enum(['keyword', 'semantic', 'hybrid']).optional(),
      hybrid_alpha: z.number().min(0).max(1).optional(),
      candidate_k_keyword: z.int().min(1).optional(),
      candidate_k_vector: z.int().min(1).optional(),
      max_chunks_per_doc: z.int().min(1).optional(),
      group_by: z.string().optional(),
      doc_agg: z.string().optional(),
      min_relevance: z.number().min(0).max(1).optional(),
      context_tokens: z.int().min(0).max(1_000_000).optional(),
    })
    .optional(),
  embedding: z
    .strictObject({
      provider: z.enum(['disabled', 'openai', 'ollama', 'local']).optional(),
      model: z.string().optional(),
      dims: z.int().min(1).optional(),
      url: z.string().optional(),
      api_key: z.string().optional(),
      batch_size: z.int().min(1).optional(),
      max_retries: z.int().min(0).optional(),
      timeout_secs: seconds.optional(),
    })
    .optional(),
  connectors: Connectors.optional(),
  providers: named(Provider).optional(),
  runner: z
    .strictObject({
      model: z.union([z.string(), strings]).optional(),
      max_turns: z.int().min(1).optional(),
      max_output_tokens: z.int().min(1).optional(),
      temperature: z.number().min(0).max(2).optional(),
      /** How much a model thinks before it answers, where it can. */
      effort: z.enum(['low', 'medium', 'high']).optional(),
      /** Days after which runs outside of chats are removed. */
      keep_days: z.number().min(0).optional(),
      /** Disk space limit for runs outside of chats, in megabytes; the oldest runs are removed first. */
      keep_mb: z.number().min(0).optional(),
      /** Time limit of a run, in seconds. */
      max_seconds: seconds.optional(),
      /** How many runs may be active at once per agent token. */
      runs_per_token: z.int().min(1).optional(),
      /** Seconds after which a call of a published tool answers with a job. */
      inline_limit: seconds.optional(),
    })
    .optional(),
  budget: z
    .strictObject({
      run: BudgetLimit.optional(),
      agent_day: BudgetLimit.optional(),
      hub_day: BudgetLimit.optional(),
    })
    .optional(),
  /** Only read from the user's own config. */
  team: z
    .strictObject({
      /** `off` runs members without a sandbox. */
      sandbox: z.enum(['on', 'off']).optional(),
      /** `off`: members in a sandbox reach the hub and the hosts of their models, nothing else. */
      network: z.enum(['on', 'off']).optional(),
      /** How many turns run at once. */
      slots: z.int().min(1).max(64).optional(),
      /** Seconds of silence after which a turn fails. */
      idle_timeout: seconds.optional(),
      /** Time limit of a turn, in seconds. */
      turn_timeout: seconds.optional(),
      /** Seconds after which the sender of a sync message is notified that nobody replied. */
      reply_timeout: seconds.optional(),
      /** Of all members of a team together. */
      budget: BudgetLimit.extend({ turns: z.int().min(0).optional() }).optional(),
    })
    .optional(),
  /** Command-line agents that speak ACP; only read from the user's own config. */
  harness: named(
    z.strictObject({
      /** Can be left out for agents that Agent Zoo knows. */
      command: strings.min(1).optional(),
      env: named(z.string()).optional(),
      /** How it is driven; `acp` by default. */
      mode: z.enum(['acp', 'claude-print', 'cursor-print']).optional(),
      /** Files that it may read inside the sandbox besides the system, such as credentials. */
      read: strings.optional(),
      /** Hosts of its models, for members without a network. */
      hosts: strings.optional(),
      /** How many of its turns run at once. */
      slots: z.int().min(1).max(64).optional(),
    }),
  ).optional(),
  tools: z
    .strictObject({
      search_above: z.int().min(0).optional(),
      activity_days: z.number().min(0).optional(),
      groups: named(strings).optional(),
      script: named(Script).optional(),
      mcp: named(UpstreamServer).optional(),
      /** Remote A2A agents, whose skills are tools. */
      a2a: named(
        z.strictObject({
          url: z.string(),
          headers: named(z.string()).optional(),
          disabled: z.boolean().optional(),
        }),
      ).optional(),
    })
    .optional(),
  agents: z
    .object({
      inline: named(InlineAgent).optional(),
      script: named(ScriptAgent).optional(),
      module: named(ScriptAgent).optional(),
    })
    .catchall(InlineAgent)
    .optional(),
});
export type Config = z.infer<typeof Config>;

/** Names under `[agents]` that are not agents. */
export const RESERVED_AGENT_TABLES = ['inline', 'script', 'module'] as const;

/**
 * Where `${VAR}` expands: connections and secrets, never prompts. `*` is any one key, `**` everything below.
 * Values there may hold a secret after expansion and are never returned or logged.
 */
export const VARIABLE_FIELDS = [
  'db.url',
  'embedding.url',
  'embedding.api_key',
  'providers.*.base_url',
  'providers.*.api_key',
  'providers.*.headers.*',
  'connectors.git.*.url',
  'connectors.web.*.url',
  'connectors.web.*.headers.*',
  'connectors.s3.*.endpoint_url',
  'connectors.script.*.**',
  'tools.script.*.**',
  'tools.mcp.*.command',
  'tools.mcp.*.args.*',
  'tools.mcp.*.env.*',
  'tools.mcp.*.cwd',
  'tools.mcp.*.url',
  'tools.mcp.*.headers.*',
  'tools.a2a.*.url',
  'tools.a2a.*.headers.*',
  'harness.*.env.*',
  'agents.script.*.**',
  'agents.module.*.**',
] as const;

/** Entries under these tables are independent: an invalid one does not affect the others. */
export const NAMED_TABLES = [
  'agents.inline',
  'agents.script',
  'agents.module',
  'agents',
  'tools.script',
  'tools.mcp',
  'tools.a2a',
  'providers',
  'harness',
  'connectors.filesystem',
  'connectors.git',
  'connectors.web',
  'connectors.s3',
  'connectors.script',
] as const;

/** Sections that apply only in the config that `zoo serve` was started with. */
export const SERVE_ONLY_SECTIONS = ['server', 'db'] as const;
