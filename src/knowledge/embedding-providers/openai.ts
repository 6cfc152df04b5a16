import { EmbeddingFailure } from '../embedding-failure.ts';
import type { EmbeddingConfig, EmbeddingProvider } from '../embedding-provider.ts';
import { field, postForVectors, timeoutOf, vectorOf } from '../embedding-request.ts';

const DEFAULT_URL = 'https://api.openai.com/v1';

const baseOf = ({ url }: EmbeddingConfig): string =>
  (url ?? DEFAULT_URL).replace(/\/+$/, '').replace(/\/embeddings$/, '');

/** OpenAI, and whoever speaks its API: what differs is the address. */
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
        // Only these can be shortened; others refuse the field.
        ...(config.dims !== undefined && /text-embedding-3/.test(model) && { dimensions: config.dims }),
      },
      signal,
      timeoutMs: timeoutOf(config),
    });
    const data = field(answer, 'data');
    const vectors: (Float32Array | null)[] = texts.map(() => null);
    for (const [at, entry] of (Array.isArray(data) ? data : []).entries()) {
      const index = field(entry, 'index');
      vectors[typeof index === 'number' ? index : at] = vectorOf(field(entry, 'embedding'));
    }
    return vectors.map((vector) => {
      if (vector) return vector;
      throw new EmbeddingFailure(
        `${baseOf(config)} answered without a vector for each text; is ${model} a model for embeddings?`,
      );
    });
  },
};
