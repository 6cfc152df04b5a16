import * as z from 'zod';
import { reasonOf } from '../../platform/text/system-error.ts';
import type { ConfiguredProvider } from './provider.ts';

const TIMEOUT_MS = 4_000;

/** OpenAI, Anthropic and Ollama answer with `data`, Google with `models`. */
const Listed = z.object({
  data: z.array(z.object({ id: z.string() })).optional(),
  models: z.array(z.object({ name: z.string() })).optional(),
});

export interface ProviderModels {
  /** Empty if the provider cannot be used. */
  models: readonly string[];
  /** Why it cannot be used. */
  problem: string | null;
}

/**
 * The models that a provider offers. Asking for the list costs nothing and tells whether the key is accepted. Providers
 * without a list have the models that the config names.
 */
export async function listModels(provider: ConfiguredProvider, signal: AbortSignal): Promise<ProviderModels> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(`${provider.baseUrl}/models`, {
      headers: { ...keyHeaders(provider), ...provider.headers },
      signal: AbortSignal.any([signal, limit]),
    });
    if (response.status === 401 || response.status === 403)
      return { models: [], problem: `The key was refused (${response.status}).` };
    const body = Listed.safeParse(await response.json().catch(() => null));
    const found = response.ok && body.success ? namesIn(body.data) : [];
    return { models: [...new Set([...namedModels(provider), ...found])], problem: null };
  } catch (error) {
    const problem = limit.aborted
      ? `No answer within ${TIMEOUT_MS / 1000} s.`
      : `Cannot connect to ${provider.baseUrl}: ${reasonOf(error)}`;
    return { models: [], problem };
  }
}

const namedModels = ({ defaultModel, models }: ConfiguredProvider): string[] => [
  ...(defaultModel === null ? [] : [defaultModel]),
  ...Object.keys(models),
];

const namesIn = ({ data = [], models = [] }: z.infer<typeof Listed>): string[] => [
  ...data.map(({ id }) => id),
  ...models.map(({ name }) => name.replace(/^models\//, '')),
];

function keyHeaders({ wire, apiKey }: ConfiguredProvider): Record<string, string> {
  if (apiKey === null) return {};
  if (wire === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  if (wire === 'google') return { 'x-goog-api-key': apiKey };
  return { authorization: `Bearer ${apiKey}` };
}
