import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { RunEvent } from '../../contract/run.ts';
import type { Chats } from '../../runner/chats/chats.ts';
import type { Runner } from '../../runner/runner.ts';
import type {
  Harness,
  HarnessEvent,
  HarnessSession,
  SessionLaunch,
  TurnAnswer,
} from '../../teams/harness.ts';
import { memberContext } from './member-scope.ts';

export const MODEL_HARNESS = 'model';

export interface ModelHarnessOptions {
  runner: Runner;
  chats: Chats;
}

/** Members without a command-line tool: the hub's own runner calls the model. A session is a chat, a turn a run. */
export function createModelHarness(options: ModelHarnessOptions): Harness {
  return {
    name: MODEL_HARNESS,
    command: [],
    readable: [],
    hosts: [],
    ownsPersona: true,
    missing: async () => null,
    probe: async () => ({ installed: true, version: null, missing: null }),
    open: (launch) => openChat(options, launch),
  };
}

async function openChat(options: ModelHarnessOptions, launch: SessionLaunch): Promise<HarnessSession> {
  const { chats } = options;
  const context = (signal: AbortSignal): CallContext => contextOf(launch, signal);
  const idle = new AbortController();
  const { agentId, name } = launch.member;
  if (agentId === null) {
    throw new ZooError(
      'invalid_arguments',
      `'${name}' needs an agent: the harness 'model' runs definitions.`,
    );
  }
  const resumed =
    launch.session === null ? null : await findChat(chats, launch.session, context(idle.signal));
  const id =
    resumed ??
    (await chats.create({ agentId, title: name, arguments: {}, headless: true }, context(idle.signal))).id;
  // The last hub may have left a run; its turn starts again as a whole.
  if (resumed !== null) await chats.cancel(id, context(idle.signal));
  // A resumed chat may not have seen it if its first turn was interrupted.
  let system = resumed === null || launch.isFirstTurn ? launch.system : '';
  return {
    id,
    isAlive: () => !idle.signal.aborted,
    async stop() {
      idle.abort();
      await chats.cancel(id, contextOf(launch, new AbortController().signal));
    },
    async run(prompt, signal, on) {
      const text = [system, prompt].filter((part) => part !== '').join('\n\n');
      const answer = await runOnce(options, id, text, context(signal), on);
      system = '';
      return answer;
    },
  };
}

async function runOnce(
  { chats, runner }: ModelHarnessOptions,
  chat: string,
  text: string,
  context: CallContext,
  on: (event: HarnessEvent) => void,
): Promise<TurnAnswer> {
  const { signal } = context;
  const { runId } = await chats.send(chat, [{ type: 'text', text }], {}, context);
  let failure = 'the hub stopped before the run ended';
  for await (const { event } of runner.followEvents(runId, 0, signal)) {
    on(describe(event));
    if (event.type === 'error') failure = event.message;
    if (event.type !== 'done') continue;
    const { inputTokens, outputTokens, usd } = event.usage;
    const spent = { tokens: inputTokens + outputTokens, usd: usd ?? 0 };
    if (event.state === 'completed') return { text: event.text, spent };
    failure = event.state === 'failed' ? failure : `the run was ${event.state}`;
  }
  if (signal.aborted) await chats.cancel(chat, { ...context, signal: new AbortController().signal });
  throw signal.reason instanceof Error ? signal.reason : new Error(failure);
}

function describe(event: RunEvent): HarnessEvent {
  if (event.type === 'text') return { type: 'text', text: event.text };
  if (event.type === 'tool-call') return { type: 'tool', title: event.name, kind: 'other' };
  return { type: 'other' };
}

/** Null for a chat that was erased meanwhile. */
async function findChat(chats: Chats, id: string, context: CallContext): Promise<string | null> {
  try {
    return (await chats.get(id, context)).id;
  } catch (error) {
    if (error instanceof ZooError && error.code === 'chat_not_found') return null;
    throw error;
  }
}

const contextOf = ({ member, budget }: SessionLaunch, signal: AbortSignal): CallContext => ({
  ...memberContext(member),
  budget: budget(),
  signal,
});
