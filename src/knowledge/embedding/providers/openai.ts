import type { EmbeddingConfig, EmbeddingProvider } from '../embedding-provider.ts';
import { field, postForVectors, timeoutOf, vectorOf, vectorsFor } from '../embedding-request.ts';

const DEFAULT_URL = 'https://api.openai.com/v1';

const baseOf = ({ url }: EmbeddingConfig): string =>
  (url ?? DEFAULT_URL).replace(/\/+$/, '').replace(/\/embeddings$/, '');

/** OpenAI and compatible servers. */
export const openai: EmbeddingProvider = {
  name: 'openai',
  defaultModel: 'text-embedding-3-small',
  batchSize: 64,
  place: baseOf,
  async embed({ texts, model, config, signal }) {
    const answer = await postForVectors({
      url: `${baseOf(config)}/embeddings`,
      headers: config.api_key === undefined ? {} : { authorization: `Bearer ${config.api_key}` },
      body: {
        model,
        input: texts,
        encoding_format: 'float',
        // Only these models support the field.
        ...(config.dims !== undefined && /text-embedding-3/.test(model) && { dimensions: config.dims }),
      },
      signal,
      timeoutMs: timeoutOf(config),
    });
    const data = field(answer, 'data');
    const entries: unknown[] = Array.isArray(data) ? data : [];
    const byPlace = new Map(entries.map((entry, at) => [placeOf(entry, at), entry]));
    const vectors = texts.map((_, at) => vectorOf(field(byPlace.get(at), 'embedding')));
    return vectorsFor(vectors, entries.length, baseOf(config), model);
  },
};

function placeOf(entry: unknown, at: number): number {
  const index = field(entry, 'index');
  return typeof index === 'number' ? index : at;
}
