import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ProviderState } from '../../contract/operations/runs.ts';
import type { UserPart } from '../../contract/run.ts';
import { renderTranscript } from '../../runner/chats/render-transcript.ts';
import { checkProvider } from '../../runner/models/check-provider.ts';
import type { LocalModels } from '../../runner/models/local-models.ts';
import { chooseModels } from '../../runner/models/choose-model.ts';
import type { ProviderStatus } from '../../runner/models/configured-providers.ts';
import { listModels } from '../../runner/models/list-models.ts';
import type { OpenRunner, RunnerParts } from './open-runner.ts';
import { providerEnvironment } from './provider-environment.ts';
import { providersOf, runSettings } from './run-settings.ts';

export function implementRuns(
  { runner, pause, localModels, spending }: OpenRunner,
  { directory, ownLayer, ...parts }: RunnerParts,
): Implements<'runs'> {
  const environment = providerEnvironment(parts);
  const defaultOf = async (settings: ReturnType<typeof runSettings>): Promise<string | null> =>
    defaultModel({ ...settings, providers: await localModels.complete(settings.providers) });
  return {
    async listProviders({ check = false }, context) {
      const view = await directory.view(context.workspace);
      const env = await environment();
      const statuses = await Promise.all(
        providersOf(view, env).map((status) => lookForLocal(status, localModels)),
      );
      const providers = await Promise.all(statuses.map((status) => describe(status, check, context)));
      return { providers, defaultModel: await defaultOf(runSettings(view, ownLayer, env)) };
    },
    async listModels(_input, { workspace, signal }) {
      const view = await directory.view(workspace);
      const env = await environment();
      const usable = providersOf(view, env).flatMap(({ provider }) => provider ?? []);
      const lists = await Promise.all(
        usable.map(async (provider) => ({ name: provider.name, ...(await listModels(provider, signal)) })),
      );
      return {
        models: lists.flatMap(({ name, models }) => models.map((model) => `${name}/${model}`)),
        unavailable: lists.flatMap(({ name, problem }) =>
          problem === null ? [] : [{ provider: name, problem }],
        ),
        defaultModel: await defaultOf(runSettings(view, ownLayer, env)),
      };
    },
    async getSpending(_input, { workspace }) {
      const view = await directory.view(workspace);
      const { runBudget, dayLimits } = runSettings(view, ownLayer, await environment());
      return { ...(await spending.today()), limits: { run: runBudget, ...dayLimits } };
    },
    startRun({ body }, context) {
      const { agent, prompt, model, limits, revision, definition, arguments: args = {}, ...rest } = body;
      const { maxSeconds, ...others } = limits ?? {};
      return runner.start(
        {
          ...rest,
          agentId: agent,
          input: partsOf(prompt),
          arguments: args,
          models: modelsOf(model),
          ...(limits
            ? { limits: { ...others, ...(maxSeconds ? { wallMs: Math.ceil(maxSeconds * 1_000) } : {}) } }
            : {}),
          ...(revision || definition ? { version: { revision, definition } } : {}),
        },
        context,
      );
    },
    listRuns: ({ agent, chat, limit = 50, offset = 0, ...filter }, context) =>
      runner.list({ ...filter, agentId: agent, chatId: chat, limit, offset }, context),
    getRun: ({ id }, context) => runner.get(id, context),
    getRunHistory: ({ id }, context) => runner.history(id, context),
    followRun: ({ id, after = 0 }, context) => runner.follow(id, after, context),
    async addRunMessage({ id, body }, context) {
      await runner.send(id, partsOf(body.message), context);
      return null;
    },
    cancelRun: ({ id }, context) => runner.cancel(id, context),
    resumeRun: ({ id }, context) => runner.resume(id, context),
    async deleteRun({ id }, context) {
      await runner.erase(id, context);
      return null;
    },
    async exportRun({ id, format = 'markdown' }, context) {
      const run = await runner.get(id, context);
      return exported(`run-${id.slice(0, 8)}`, format, run, () => renderTranscript(`Run ${run.id}`, [run]));
    },
    async pauseRuns() {
      await pause.set(true);
      return { paused: true };
    },
    async unpauseRuns() {
      await pause.set(false);
      return { paused: false };
    },
  };
}

export function exported(name: string, format: 'markdown' | 'json', data: unknown, markdown: () => string) {
  return format === 'json'
    ? { name: `${name}.json`, mediaType: 'application/json', content: JSON.stringify(data, null, 2) }
    : { name: `${name}.md`, mediaType: 'text/markdown', content: markdown() };
}

export function partsOf(message: string | UserPart[]): UserPart[] {
  return typeof message === 'string' ? [{ type: 'text', text: message }] : message;
}

export function modelsOf(model: string | string[] | undefined): string[] | undefined {
  return model === undefined ? undefined : [model].flat();
}

/** Whether a local provider is running, and which models it has. */
async function lookForLocal(status: ProviderStatus, localModels: LocalModels): Promise<ProviderStatus> {
  const { provider } = status;
  if (!provider?.isLocal) return status;
  const models = await localModels.list(provider);
  if (models?.length) {
    return { ...status, provider: { ...provider, defaultModel: provider.defaultModel ?? models[0] ?? null } };
  }
  const missing = models
    ? `running at ${provider.baseUrl}, but without a model: ollama pull qwen3`
    : `not running at ${provider.baseUrl}`;
  return { ...status, provider: null, missing };
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
