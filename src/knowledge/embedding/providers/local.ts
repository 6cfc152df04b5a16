import { EmbeddingFailure } from '../embedding-failure.ts';
import type { EmbeddingProvider } from '../embedding-provider.ts';
import { field, vectorOf } from '../embedding-request.ts';
import { messageOf } from '../../../platform/text/error-message.ts';

/** Not a dependency, since it takes half a gigabyte with its runtime; the bundler must not resolve it. */
const PACKAGE = '@huggingface/transformers';

type Extract = (texts: readonly string[], options: { pooling: 'mean'; normalize: true }) => Promise<unknown>;

const loaded = new Map<string, Promise<Extract>>();

/** Runs models in the calling worker thread. */
export const local: EmbeddingProvider = {
  name: 'local',
  defaultModel: 'Xenova/all-MiniLM-L6-v2',
  batchSize: 8,
  place: () => null,
  async embed({ texts, model, signal }) {
    const extract = await loadModel(model);
    signal.throwIfAborted();
    const output = await extract(texts, { pooling: 'mean', normalize: true });
    const lists: unknown = isTensor(output) ? output.tolist() : null;
    return texts.map((_, at) => {
      const vector = Array.isArray(lists) ? vectorOf(lists[at]) : null;
      if (vector) return vector;
      throw new EmbeddingFailure(`${model} returned no vector for a text; is it an embedding model?`);
    });
  },
};

function loadModel(model: string): Promise<Extract> {
  const known = loaded.get(model);
  if (known) return known;
  const loading = load(model);
  loaded.set(model, loading);
  // A failed download is retried next time.
  loading.catch(() => loaded.delete(model));
  return loading;
}

async function load(model: string): Promise<Extract> {
  let library: unknown;
  try {
    library = await import(PACKAGE);
  } catch (error) {
    throw new EmbeddingFailure(
      `[embedding] provider = "local" needs the package ${PACKAGE}, which is not installed: run \`npm install ${PACKAGE}\` beside agent-zoo (\`-g\` if that is global)`,
      { cause: error },
    );
  }
  const pipeline = field(library, 'pipeline');
  if (!isPipeline(pipeline))
    throw new EmbeddingFailure(`this version of ${PACKAGE} has no pipeline(); install 3.x`);
  try {
    return await pipeline('feature-extraction', model);
  } catch (error) {
    const reason = messageOf(error);
    throw new EmbeddingFailure(`the model ${model} could not be loaded: ${reason}`, { cause: error });
  }
}

const isPipeline = (value: unknown): value is (task: string, model: string) => Promise<Extract> =>
  typeof value === 'function';

const isTensor = (value: unknown): value is { tolist(): unknown } =>
  typeof value === 'object' && value !== null && 'tolist' in value && typeof value.tolist === 'function';
