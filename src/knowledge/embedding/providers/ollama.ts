import type { EmbeddingConfig, EmbeddingProvider } from '../embedding-provider.ts';
import { field, postForVectors, timeoutOf, vectorOf, vectorsFor } from '../embedding-request.ts';

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
    const said = field(answer, 'embeddings');
    const entries: unknown[] = Array.isArray(said) ? said : [];
    const vectors = texts.map((_, at) => vectorOf(entries[at]));
    return vectorsFor(vectors, entries.length, 'Ollama', model);
  },
};
