import { createHash, randomUUID } from 'node:crypto';
import type { Agent, PublishedTool } from '../../contract/agent.ts';
import { type CallContext, callerKey } from '../../contract/call.ts';
import type { Chat } from '../../contract/chat.ts';
import { ZooError } from '../../contract/errors.ts';
import { toJsonSchema } from '../../contract/parameters.ts';
import { fillTemplate } from '../../contract/published/prompt-template.ts';
import type { ToolCall, ToolResult } from '../../contract/tool.ts';
import type { Chats } from '../chats/chats.ts';
import type { Runner } from '../runner.ts';
import { type FitSchema, resultOf } from './call-result.ts';
import type { CallStore, StoredCall } from './call-store.ts';
import { jobHandle } from './job-handle.ts';
import { describeProgress, isDone, type RunProgress } from './run-progress.ts';
import { watchRun } from './watch-run.ts';

export interface PublishedCallsOptions {
  runner: Pick<Runner, 'start' | 'followEvents' | 'get' | 'abandon'>;
  chats: Pick<Chats, 'create' | 'get'>;
  store: CallStore;
  /** How long a call may take before it becomes a job. */
  inlineMs(context: CallContext): Promise<number>;
  fit: FitSchema;
}

/** A tool of an agent, and the agent as it is defined now. */
export interface Published {
  agent: Agent;
  tool: PublishedTool;
}

/** Executes published tools: each call is a run of its agent. */
export interface PublishedCalls {
  /** `args` fit the parameters, defaults filled in. */
  call(published: Published, args: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
}

/** Clients that reset their timeout on progress need some, also while the model thinks. */
const HEARTBEAT_MS = 5_000;

export function createPublishedCalls(options: PublishedCallsOptions): PublishedCalls {
  const { runner, store, fit } = options;
  const starting = new Map<string, Promise<void>>();

  return {
    async call(published, args, call) {
      const { agent, tool } = published;
      const { context } = call;
      await refuseCycle(published, context, store);
      const asked = readContextId(tool, args, call);
      const cacheKey = tool.cache && asked.contextId === null ? keyOf(published, asked.args, context) : null;
      const cached = cacheKey === null ? null : await store.findCached(cacheKey, tool.cache ?? 0);
      const known = cached && (await answer(cached, call, options).catch(nullIfUnfit));
      if (known) return known;
      const chat =
        tool.context === 'shared' ? await chatFor(published, asked.contextId, context, options) : null;
      const made = {
        runId: randomUUID(),
        agentId: agent.id,
        tool: tool.name,
        contextId: chat?.id ?? randomUUID(),
        output: tool.output ? toJsonSchema(tool.output) : null,
        cacheKey,
      };
      const isKeyed = context.idempotencyKey !== undefined;
      const prepared = isKeyed ? null : store.prepare(made, context);
      const stored = prepared?.stored ?? (await store.add(made, context));
      const start = () =>
        runner.start(
          {
            id: stored.runId,
            agentId: agent.id,
            input: [{ type: 'text', text: fillTemplate(tool.prompt, asked.args, tool) }],
            arguments: agentArguments(agent, asked.args),
            outputSchema: stored.output ?? undefined,
            ...(chat ? { chat: { id: chat.id, previous: chat.head } } : {}),
            also: prepared ? [prepared.insert] : [],
          },
          context,
        );
      await (isKeyed ? startOnce(stored.runId, start) : start());
      return answer(stored, call, options);
    },
  };

  /** Under an idempotency key, the run may have been started before, or be starting at this moment. */
  function startOnce(runId: string, start: () => Promise<unknown>): Promise<void> {
    const underWay = starting.get(runId);
    if (underWay) return underWay;
    const started = store
      .isKnownRun(runId)
      .then(async (isKnown) => void (isKnown || (await start())))
      .finally(() => starting.delete(runId));
    starting.set(runId, started);
    return started;
  }

  async function answer(
    stored: StoredCall,
    call: ToolCall,
    { inlineMs }: PublishedCallsOptions,
  ): Promise<ToolResult> {
    const { context } = call;
    // Only clients have a timeout: a run waits for the tools that it calls.
    const forMs = context.run === undefined ? await inlineMs(context) : Number.POSITIVE_INFINITY;
    const progress = await watchWithProgress(stored.runId, call, forMs);
    if (isDone(progress)) return resultOf(stored, progress, fit);
    if (!context.signal.aborted) return jobHandle(stored, progress);
    // The job id has not been returned yet, so the result could not be fetched later.
    await runner.abandon(stored.runId, context);
    throw new ZooError('tool_error', `'${stored.tool}' was cancelled.`, { runId: stored.runId });
  }

  async function watchWithProgress(runId: string, call: ToolCall, forMs: number): Promise<RunProgress> {
    let told = 0;
    let last = 'starting';
    const tell = (): void => call.progress((told += 1), undefined, last);
    const heartbeat = setInterval(tell, HEARTBEAT_MS);
    try {
      return await watchRun(runner, runId, call.context, {
        forMs,
        onChange(progress) {
          last = describeProgress(progress);
          tell();
        },
      });
    } finally {
      clearInterval(heartbeat);
    }
  }
}

/** An answer that does not fit the output schema is not a result, so the tool runs again. */
function nullIfUnfit(error: unknown): null {
  if (error instanceof ZooError && error.code === 'agent_error') return null;
  throw error;
}

/** Refuses an agent that would end up calling itself, with the way there. */
async function refuseCycle(
  { agent, tool }: Published,
  { run }: CallContext,
  store: CallStore,
): Promise<void> {
  if (run === undefined) return;
  const above = await store.agentsAbove(run);
  if (!above.includes(agent.id)) return;
  const path = [...above, agent.id].join(' → ');
  throw new ZooError('out_of_scope', `Calling '${agent.id}.${tool.name}' would be a cycle: ${path}.`, {
    path: [...above, agent.id],
  });
}

/** The conversation that a shared call continues, or a new one. A caller continues its own only. */
async function chatFor(
  { agent, tool }: Published,
  contextId: string | null,
  context: CallContext,
  { store, chats }: PublishedCallsOptions,
): Promise<Pick<Chat, 'id' | 'head'>> {
  if (contextId === null) {
    const title = `${agent.id}.${tool.name}`;
    // Each call brings the agent's arguments, which are checked when its run starts.
    return chats.create({ agentId: agent.id, title, headless: true }, context);
  }
  const last = await store.findContext(contextId);
  const isOwn =
    context.caller.kind === 'operator' || (last !== null && last.caller === callerKey(context.caller));
  if (last && isOwn && last.agentId === agent.id) return chats.get(contextId, context);
  const message = `No conversation '${contextId}'. Use the contextId of an earlier result, or omit it to start a new one.`;
  throw new ZooError('chat_not_found', message, { contextId });
}

/** Programs hand the id over in `_meta`; models can only pass arguments. */
function readContextId(
  tool: PublishedTool,
  args: Record<string, unknown>,
  { meta }: ToolCall,
): { contextId: string | null; args: Record<string, unknown> } {
  if (tool.context !== 'shared') return { contextId: null, args };
  const isOwn = Object.hasOwn(tool.parameters.properties ?? {}, 'contextId');
  const { contextId: argument, ...rest } = args;
  const given = meta?.['contextId'] ?? (isOwn ? undefined : argument);
  const contextId = typeof given === 'string' && given !== '' ? given : null;
  return { contextId, args: isOwn ? args : rest };
}

/** Parameters of the same name fill the agent's own arguments. */
function agentArguments(agent: Agent, args: Record<string, unknown>): Record<string, unknown> {
  const names = new Set(agent.arguments.map(({ name }) => name));
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name)));
}

/**
 * Equal for identical calls of one caller; an edit of the agent invalidates it. Never shared between callers: a
 * result may contain data that only its caller may see, and names its run and conversation.
 */
function keyOf(
  { agent, tool }: Published,
  args: Record<string, unknown>,
  { caller, agent: onBehalfOf, workspace }: CallContext,
): string {
  const ordered = Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const who = [callerKey(caller), onBehalfOf, workspace];
  const text = JSON.stringify([who, agent.updatedAt, agent.revision, agent.id, tool, ordered]);
  return createHash('sha256').update(text).digest('base64url');
}
