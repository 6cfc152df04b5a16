import { type RunningHub, startHub, type StartOptions } from '../start-hub.ts';
import { type FakeModel, startFakeModel } from './fake-model.ts';
import type { Step } from './script.ts';

export interface HubWithModel extends AsyncDisposable {
  model: FakeModel;
  hub: RunningHub;
}

/** A hub with this config of the user's own, and a fake model behind its agents. */
export async function hubWithModel(
  steps: readonly Step[],
  config: string,
  options: StartOptions = {},
  modelOptions: Parameters<typeof startFakeModel>[1] = {},
): Promise<HubWithModel> {
  const model = await startFakeModel(steps, modelOptions);
  const env = { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url };
  const hub = await startHub({}, { own: { 'zoo.toml': config }, env, ...options });
  return {
    model,
    hub,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}
