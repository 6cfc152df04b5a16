import { EmbeddingFailure } from '../embedding-failure.ts';
import type { EmbeddingConfig, EmbeddingProvider } from '../embedding-provider.ts';
import { field, postForVectors, timeoutOf, vectorOf } from '../embedding-request.ts';

const DEFAULT_URL = 'http://127.0.0.1:11434';

const baseOf = ({ url }: EmbeddingConfig): string =>
  (url ?? DEFAULT_URL).replace(/\/+$/, '').replace(/\/(?:api\/embed|api|v1)$/, '');

export const ollama: EmbeddingProvider = {
  name: 'ollama',
  defaultModel: 'nomic-embed-text',
  batchSize: 32,
  place: () => null,
  async embed({ texts, model, config, signal }) {
    const answer = await postForVectors({
      url: `${baseOf(config)}/api/embed`,
      headers: config.api_key === undefined ? {} : { authorization: `Bearer ${config.api_key}` },
      body: {
        model,
        input: texts,
        truncate: true,
        ...(config.dims !== undefined && { dimensions: config.dims }),
      },
      signal,
      timeoutMs: timeoutOf(config),
      explain: (status, text) =>
        status === 404 && /not found/.test(text)
          ? `Ollama has no model ${model}: run \`ollama pull ${model}\``
          : null,
    });
    const vectors = field(answer, 'embeddings');
    return texts.map((_, at) => {
      const vector = Array.isArray(vectors) ? vectorOf(vectors[at]) : null;
      if (vector) return vector;
      throw new EmbeddingFailure(
        `Ollama answered without a vector for each text; is ${model} a model for embeddings?`,
      );
    });
  },
};
