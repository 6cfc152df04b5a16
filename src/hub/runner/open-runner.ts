import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Agent } from '../../contract/agent.ts';
import type { Caller, CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import { isKnownToken } from '../../platform/home/access-tokens.ts';
import type { Questions } from '../../platform/store/questions.ts';
import { loadTokenCounter } from '../../platform/text/token-count.ts';
import { checkArguments } from '../../registry/check-arguments.ts';
import { applyPatch, definitionOf } from '../../registry/definition.ts';
import { createRunBudgets } from '../../runner/budget/run-budgets.ts';
import { createSpending, type Spending } from '../../runner/budget/spending.ts';
import { createChatNews } from '../../runner/chats/chat-events.ts';
import { createChatStore } from '../../runner/chats/chat-store.ts';
import { type Chats, createChats } from '../../runner/chats/chats.ts';
import { createLocalModels, type LocalModels } from '../../runner/models/local-models.ts';
import { keysInEnvironment } from '../../runner/models/configured-providers.ts';
import { createRunner, type Runner } from '../../runner/runner.ts';
import type { RunnerOptions } from '../../runner/runner-options.ts';
import { createLiveRuns } from '../../runner/runs/live-runs.ts';
import { createPauseSwitch, type PauseSwitch } from '../../runner/runs/pause-switch.ts';
import { createRunEventLog } from '../../runner/runs/run-event-log.ts';
import { createRunMessages } from '../../runner/runs/run-messages.ts';
import { createRunOwnership } from '../../runner/runs/run-ownership.ts';
import type { AgentVersion } from '../../runner/runs/run-request.ts';
import { createRunStore } from '../../runner/runs/run-store.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { ResolveAgent } from '../agents/resolve-agent.ts';
import { maskOutputs } from '../base/mask-outputs.ts';
import { type Base, localContext } from '../base/open-base.ts';
import type { ToolCalls } from '../tools/tool-calls.ts';
import { callForRun } from './call-for-run.ts';
import { providerEnvironment } from './provider-environment.ts';
import { runSettings } from './run-settings.ts';
import { TEAM_TOOLS } from '../../teams/team-tool-names.ts';
import { mayRun } from './trusted-agent.ts';

export interface RunnerParts extends Pick<
  Base,
  'home' | 'db' | 'now' | 'env' | 'startLayer' | 'ownLayer' | 'log' | 'output' | 'serving' | 'mask'
> {
  directory: AgentDirectory;
  resolve: ResolveAgent;
  calls: ToolCalls;
  questions: Questions;
}

export interface OpenRunner {
  runner: Runner;
  chats: Chats;
  pause: PauseSwitch;
  localModels: LocalModels;
  spending: Spending;
  /** Runs under way in this process. */
  liveCount(): number;
}

/** Connects the runner to the other rooms. */
export function openRunner(parts: RunnerParts): OpenRunner {
  const { db, now, env, ownLayer, log, output, directory, questions, mask } = parts;
  mask.learn(keysInEnvironment(env));
  const environment = providerEnvironment(parts);
  // Prompts and results of tools leave the hub: they are sent to the model.
  const { resolve, shown, inScope, call } = maskOutputs({ resolve: parts.resolve, ...parts.calls }, mask);
  const toolsOf = async (context: CallContext) => {
    const [all, listed] = await Promise.all([inScope(context), shown(context)]);
    return { inScope: all, shown: listed };
  };
  const localModels = createLocalModels(() => performance.now());
  const live = createLiveRuns();
  const pause = createPauseSwitch(db);
  const messages = createRunMessages(db, now);
  const chatStore = createChatStore(db, now);
  const isRevoked = async (caller: Caller) =>
    caller.kind === 'agent' && !(await isKnownToken(db, caller.tokenId));
  const options: RunnerOptions = {
    db,
    store: createRunStore(db, now),
    live,
    events: createRunEventLog(db, log),
    ownership: createRunOwnership({
      db,
      owner: ownerOf(parts),
      now,
      onLost: live.lose,
      onCancelRequested: (id) => void live.cancel(id),
      onError: log,
    }),
    budgets: createRunBudgets(),
    spending: createSpending(db, now, log),
    questions,
    chatApprovals: { list: chatStore.approvals, allow: chatStore.allow },
    messages,
    pause,
    now,
    log,
    // Written after the answer has left: a line takes longer to mask and write than anything else at the end of a run.
    note: (message, fields) => void setImmediate(() => output.info?.(message, fields)),
    async settings({ workspace }) {
      const settings = runSettings(await directory.view(workspace), ownLayer, await environment());
      return { ...settings, providers: await localModels.complete(settings.providers) };
    },
    localModels,
    agent: (id, context, version) => agentToRun(directory, id, context, version),
    checkArguments,
    resolve,
    tools: toolsOf,
    call: callForRun(call),
    allowAlways: (id, tool, context) => allowAlways(directory, id, tool, context),
    loadCounter: loadTokenCounter,
    isRevoked,
    contextOf: (request) => ({
      ...localContext(request.workspace),
      caller: request.identity,
      surface: request.surface,
      depth: request.depth,
    }),
    async turnEnded(request) {
      const left = await messages.takeLeft(request.id);
      if (!request.chat || left.length === 0 || (await isRevoked(request.identity))) return;
      try {
        await chats.send(request.chat.id, left, {}, options.contextOf(request));
      } catch (error) {
        await messages.leave(request.id, left);
        log(`the next turn of chat ${request.chat.id} could not be started`, error);
      }
    },
  };
  const runner = createRunner(options);
  const news = createChatNews(db);
  const chats = createChats({ db, store: chatStore, runner, messages, news });
  const { spending } = options;
  return { runner, chats, pause, localModels, spending, liveCount: () => live.ids().length };
}

/** Only one process serves a home, so the hub that is started next is the same owner and gets its runs back at once. */
function ownerOf({ serving, home }: Pick<RunnerParts, 'serving' | 'home'>): string {
  return serving ? `hub ${hostname()} ${home}` : `process ${process.pid} ${randomUUID()}`;
}

/** Agents of unapproved workspaces are data and do not run. Without anything to approve, they run with read-only tools. */
async function agentToRun(
  directory: AgentDirectory,
  id: string,
  context: CallContext,
  { revision, definition }: AgentVersion = {},
): Promise<Agent> {
  const [{ agent }, view] = await Promise.all([
    directory.find(id, context),
    directory.view(context.workspace),
  ]);
  if (!mayRun(agent, view)) {
    throw new ZooError(
      'untrusted',
      `Agent '${id}' is from a workspace that you have not approved. Review it with 'zoo trust' in ${view.located.path}.`,
      { workspace: view.located.id },
    );
  }
  if (revision !== undefined && agent.source !== 'editor') {
    const message = `Agent '${id}' has no revisions: it is defined in a file, not in the editor. Omit 'revision'.`;
    throw new ZooError('revision_not_found', message, { id });
  }
  const base = revision === undefined ? agent : await directory.store.revision(id, revision);
  const chosen = definition ? { ...base, ...applyPatch(definitionOf(base), definition) } : base;
  if (context.caller.kind !== 'member') return chosen;
  // Team tools affect only the team, and asking a person about each call is not possible.
  const allowed = Object.fromEntries(TEAM_TOOLS.map((name) => [name, 'allow' as const]));
  return { ...chosen, toolApprovals: { ...chosen.toolApprovals, ...allowed } };
}

async function allowAlways(
  directory: AgentDirectory,
  id: string,
  tool: string,
  context: CallContext,
): Promise<void> {
  await directory.requireEditable(id, context);
  // The person who answered changes the agent, not the run that asked.
  const write = {
    action: 'changed',
    context: { ...localContext(context.workspace), surface: context.surface },
  } as const;
  await directory.store.update(id, write, (definition) => ({
    definition: { ...definition, toolApprovals: { ...definition.toolApprovals, [tool]: 'allow' } },
    value: null,
  }));
}
