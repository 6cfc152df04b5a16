import * as z from 'zod';
import type { ConfiguredProvider, ModelFacts } from './provider.ts';

/** Timeout for a server on loopback; a missing one refuses immediately. */
const TIMEOUT_MS = 5_000;
/** Models that were just pulled, and a server that was just started, are found after this time. */
const FRESH_MS = 5_000;

const Tags = z.object({
  models: z.array(
    z.object({ name: z.string(), details: z.object({ family: z.string().nullish() }).nullish() }),
  ),
});
const Shown = z.object({ capabilities: z.array(z.string()).optional() });

type LocalServer = Pick<ConfiguredProvider, 'baseUrl' | 'apiKey' | 'headers'>;

/** Lists the models of local servers, which offer Ollama's API in addition to OpenAI's. */
export interface LocalModels {
  /** Models that can answer, the most recently pulled first. Null if no server responds. */
  list(server: LocalServer): Promise<readonly string[] | null>;
  /** Facts about a model, from its server. */
  facts(server: LocalServer, model: string): Promise<ModelFacts>;
  /**
   * Adds the models of local servers, the newest as the default, where nothing else is configured. No server is asked
   * otherwise.
   */
  complete(providers: readonly ConfiguredProvider[]): Promise<readonly ConfiguredProvider[]>;
}

export function createLocalModels(now: () => number): LocalModels {
  const lists = new Map<string, { at: number; models: Promise<readonly string[] | null> }>();

  const list: LocalModels['list'] = (server) => {
    const known = lists.get(server.baseUrl);
    if (known && now() - known.at < FRESH_MS) return known.models;
    const models = readModels(server);
    lists.set(server.baseUrl, { at: now(), models });
    return models;
  };
  const withModels = async (provider: ConfiguredProvider): Promise<ConfiguredProvider> => {
    const [newest, ...others] = (await list(provider)) ?? [];
    if (newest === undefined) return provider;
    const found = Object.fromEntries([newest, ...others].map((model): [string, ModelFacts] => [model, {}]));
    return { ...provider, defaultModel: newest, models: { ...found, ...provider.models } };
  };

  return {
    list,
    async facts(server, model) {
      const shown = await ask(server, '/api/show', Shown, { model });
      return shown?.capabilities ? { images: shown.capabilities.includes('vision') } : {};
    },
    async complete(providers) {
      if (!providers.every((provider) => provider.isLocal && provider.defaultModel === null)) {
        return providers;
      }
      return Promise.all(providers.map(withModels));
    },
  };
}

async function readModels(server: LocalServer): Promise<readonly string[] | null> {
  const tags = await ask(server, '/api/tags', Tags);
  return tags?.models.filter(canAnswer).map(({ name }) => name) ?? null;
}

/** Embedding models are listed among the others. */
function canAnswer({ name, details }: z.infer<typeof Tags>['models'][number]): boolean {
  return !/embed/i.test(name) && !/bert/i.test(details?.family ?? '');
}

/** Null for a server that does not respond, or is not Ollama. */
async function ask<T>(
  { baseUrl, apiKey, headers }: LocalServer,
  path: string,
  schema: z.ZodType<T>,
  body?: unknown,
): Promise<T | null> {
  try {
    const response = await fetch(baseUrl.replace(/\/v\d+$/, '') + path, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { ...headers, ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return schema.parse(await response.json());
  } catch {
    return null;
  }
}
