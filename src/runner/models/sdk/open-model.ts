import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Model } from '../model.ts';
import type { ConfiguredProvider, ModelFacts, Wire } from '../provider.ts';
import { asFailure } from './as-failure.ts';
import { callOptions } from './call-options.ts';
import { collectAnswer } from './collect-answer.ts';
import { providerFetch } from './provider-fetch.ts';

/**
 * This folder alone knows the model SDK. It uses the SDK's provider layer and not its agent loop: a run stores every
 * step, reserves its budget before each request and may wait for a person in between, so the loop has to be ours.
 */
export async function openModel(
  provider: ConfiguredProvider,
  name: string,
  facts: ModelFacts,
): Promise<Model> {
  const sdk = await loaders[provider.wire](provider, name);
  return {
    id: `${provider.name}/${name}`,
    provider: provider.name,
    name,
    facts,
    async answer(request, onDelta) {
      try {
        const { wire, isLocal } = provider;
        const { stream } = await sdk.doStream(callOptions({ wire, isLocal, model: name }, request, facts));
        return await collectAnswer(stream, onDelta);
      } catch (error) {
        request.signal.throwIfAborted();
        throw asFailure(error, provider);
      }
    },
  };
}

type Load = (provider: ConfiguredProvider, model: string) => Promise<LanguageModelV3>;

/** Loaded when first used: each SDK takes tens of milliseconds to load. */
const loaders: Record<Wire, Load> = {
  anthropic: async (provider, model) =>
    (await import('@ai-sdk/anthropic')).createAnthropic(settings(provider))(model),
  openai: async (provider, model) =>
    (await import('@ai-sdk/openai')).createOpenAI(settings(provider)).responses(model),
  google: async (provider, model) =>
    (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings(provider))(model),
  'openai-compatible': async (provider, model) =>
    (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
      ...settings(provider),
      name: provider.name,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })(model),
};

function settings({ baseUrl, apiKey, headers }: ConfiguredProvider) {
  // The SDKs fall back to variables of the hub's own environment unless they are given a key.
  return { baseURL: baseUrl, apiKey: apiKey ?? '', headers: { ...headers }, fetch: providerFetch };
}
