import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ProviderState } from '../../contract/operations/runs.ts';
import { type ToolResult, silentCall } from '../../contract/tool.ts';
import { isTrusted } from '../../platform/trust/trust.ts';
import { loadTokenCounter } from '../../platform/text/token-count.ts';
import { createRunBudgets } from '../../runner/budget/run-budgets.ts';
import { createSpending } from '../../runner/budget/spending.ts';
import { checkProvider } from '../../runner/models/check-provider.ts';
import { chooseModels } from '../../runner/models/choose-model.ts';
import type { ProviderStatus } from '../../runner/models/configured-providers.ts';
import { createRunner } from '../../runner/runner.ts';
import type { RunnerOptions } from '../../runner/runner-options.ts';
import { createLiveRuns } from '../../runner/runs/live-runs.ts';
import { createRunEventLog } from '../../runner/runs/run-event-log.ts';
import { createRunOwnership } from '../../runner/runs/run-ownership.ts';
import { createRunStore } from '../../runner/runs/run-store.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { ResolveAgent } from '../agents/resolve-agent.ts';
import { type Base, localContext } from '../base/open-base.ts';
import type { ToolCalls } from '../tools/tool-calls.ts';
import type { Wing } from '../wing.ts';
import { providersOf, runSettings } from './run-settings.ts';

export interface RunnerWingParts extends Pick<
  Base,
  'home' | 'db' | 'now' | 'env' | 'ownLayer' | 'log' | 'serving'
> {
  directory: AgentDirectory;
  resolve: ResolveAgent;
  calls: ToolCalls;
}

const RECOVER_MS = 30_000;

/** Runs: agents executed against a model. */
export function createRunnerWing(parts: RunnerWingParts): Wing<'runs'> {
  const { home, db, now, env, ownLayer, log, directory, resolve, calls, serving } = parts;
  const live = createLiveRuns();
  const ownership = createRunOwnership({
    db,
    // Only one process serves a home, so the hub that is started next is the same owner.
    owner: serving ? `hub ${hostname()} ${home}` : `process ${process.pid} ${randomUUID()}`,
    now,
    onLost: live.lose,
    onCancelRequested: (id) => void live.cancel(id),
    onError: log,
  });
  let lastAt = 0;
  const options: RunnerOptions = {
    db,
    store: createRunStore(db, now),
    live,
    events: createRunEventLog(db, log),
    ownership,
    budgets: createRunBudgets(),
    spending: createSpending(db, now, log),
    now,
    log,
    settings: async ({ workspace }) => runSettings(await directory.view(workspace), ownLayer, env),
    agent: (id, context) => trustedAgent(directory, id, context),
    resolve,
    tools: calls.shown,
    call: async (name, args, { context, progress }): Promise<ToolResult> => {
      lastAt = performance.now();
      return calls.call(name, args, { ...silentCall(context), progress });
    },
    loadCounter: loadTokenCounter,
    contextOf: (request) => ({
      ...localContext(request.workspace),
      surface: request.surface,
      depth: request.depth,
    }),
  };
  const runner = createRunner(options);
  // A command without a hub does not touch runs of others.
  let recovered: Promise<void> | null = null;
  const recover = (): void => {
    recovered = runner.recover().catch((error: unknown) => log('runs could not be resumed', error));
  };
  if (serving) recover();
  // Also runs of commands that were killed: their leases expire.
  const sweep = serving ? setInterval(recover, RECOVER_MS).unref() : undefined;

  return {
    operations: {
      async listProviders({ check = false }, context) {
        const view = await directory.view(context.workspace);
        const listed = providersOf(view, env);
        const states = await Promise.all(listed.map((status) => describe(status, check, context)));
        return { providers: states, defaultModel: defaultModel(runSettings(view, ownLayer, env)) };
      },
      startRun: ({ body }, context) =>
        runner.start(
          {
            agentId: body.agent,
            input: typeof body.prompt === 'string' ? [{ type: 'text', text: body.prompt }] : body.prompt,
            arguments: body.arguments ?? {},
            models: body.model === undefined ? undefined : [body.model].flat(),
            outputSchema: body.outputSchema,
          },
          context,
        ),
      listRuns: ({ agent, state, limit = 50, offset = 0 }, context) =>
        runner.list({ agentId: agent, state, limit, offset }, context),
      getRun: ({ id }, context) => runner.get(id, context),
      followRun: ({ id, after = 0 }, context) => runner.follow(id, after, context),
      cancelRun: ({ id }, context) => runner.cancel(id, context),
      resumeRun: ({ id }, context) => runner.resume(id, context),
    },
    use: () => ({ open: live.ids().length, lastAt }),
    async close() {
      clearInterval(sweep);
      await recovered;
      await runner.close();
    },
  };
}

/** Agents of unapproved workspaces are data and do not run. */
async function trustedAgent(directory: AgentDirectory, id: string, context: CallContext) {
  const [{ agent, owner, trusted }, view] = await Promise.all([
    directory.find(id, context),
    directory.view(context.workspace),
  ]);
  const layer = view.layers.find((each) => each.owner === owner);
  if (trusted && (owner === null || !layer || isTrusted(layer.current().trust.state))) return agent;
  throw new ZooError(
    'untrusted',
    `Agent '${id}' is from a workspace that you have not approved. Review it with 'zoo trust' in ${view.located.path}.`,
    { workspace: view.located.id },
  );
}

async function describe(
  status: ProviderStatus,
  check: boolean,
  { signal }: CallContext,
): Promise<ProviderState> {
  const { name, title, provider, missing } = status;
  return {
    name,
    title,
    from: provider?.from ?? null,
    baseUrl: provider?.baseUrl ?? null,
    defaultModel: provider?.defaultModel ?? null,
    missing,
    ...(check && provider ? { check: await checkProvider(provider, signal) } : {}),
  };
}

function defaultModel({
  models,
  providers,
}: Pick<ReturnType<typeof runSettings>, 'models' | 'providers'>): string | null {
  try {
    const [choice] = chooseModels({ config: models }, providers).choices;
    return choice ? `${choice.provider.name}/${choice.model}` : null;
  } catch (error) {
    if (error instanceof ZooError && error.code === 'no_provider') return null;
    throw error;
  }
}
