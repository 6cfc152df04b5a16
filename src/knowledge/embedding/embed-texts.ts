import { setTimeout as delay } from 'node:timers/promises';
import { createSecretMask } from '../../platform/text/secret-mask.ts';
import { EmbeddingFailure } from './embedding-failure.ts';
import {
  type EmbeddingConfig,
  type EmbeddingProvider,
  fingerprintOf,
  type TextKind,
} from './embedding-provider.ts';
import { embeddingProviders } from './providers/index.ts';

/** An embedding config with its provider. */
export interface Encoder {
  provider: EmbeddingProvider;
  model: string;
  config: EmbeddingConfig;
  fingerprint: string;
}

/** Null if embeddings are disabled. */
export function encoderOf(config: EmbeddingConfig): Encoder | null {
  const provider = embeddingProviders.find(({ name }) => name === config.provider);
  if (!provider) return null;
  return {
    provider,
    model: config.model ?? provider.defaultModel,
    config,
    fingerprint: fingerprintOf(provider, config),
  };
}

export interface EmbedOptions {
  signal: AbortSignal;
  retries?: number;
  /** The first delay; it doubles with each retry. */
  backoffMs?: number;
}

const DEFAULT_RETRIES = 4;
const BACKOFF_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** Most services refuse empty texts. */
const EMPTY = '(empty)';

/** Returns one vector per text. Retries when the service is busy, and splits batches that are too large. */
export async function embedTexts(
  encoder: Encoder,
  texts: readonly string[],
  kind: TextKind,
  options: EmbedOptions,
): Promise<Float32Array[]> {
  const { unset = null } = encoder.config;
  if (unset !== null) throw new EmbeddingFailure(unset);
  const size = encoder.config.batch_size ?? encoder.provider.batchSize;
  const mask = createSecretMask(encoder.config.secrets);
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += size) {
    const batch = texts
      .slice(at, at + size)
      .map((text) => prefixed(encoder.model, mask.text(text).trim() || EMPTY, kind));
    vectors.push(...(await embedBatch(encoder, batch, kind, options)));
  }
  const expected = encoder.config.dims ?? vectors[0]?.length;
  const other = vectors.find(({ length }) => length !== expected);
  if (other) {
    throw new EmbeddingFailure(
      `${encoder.model} returned ${other.length} dimensions instead of ${expected}; correct or remove [embedding] dims`,
    );
  }
  return vectors;
}

async function embedBatch(
  encoder: Encoder,
  texts: readonly string[],
  kind: TextKind,
  options: EmbedOptions,
): Promise<Float32Array[]> {
  try {
    return await withRetries(encoder, texts, kind, options);
  } catch (error) {
    if (!(error instanceof EmbeddingFailure) || error.remedy !== 'split') throw error;
    const [only = ''] = texts;
    if (texts.length > 1) {
      const half = Math.ceil(texts.length / 2);
      return [
        ...(await embedBatch(encoder, texts.slice(0, half), kind, options)),
        ...(await embedBatch(encoder, texts.slice(half), kind, options)),
      ];
    }
    // Too long for the model: embed its beginning.
    if (only.length < 400) throw error;
    return embedBatch(encoder, [only.slice(0, Math.floor(only.length * 0.6))], kind, options);
  }
}

async function withRetries(
  { provider, model, config }: Encoder,
  texts: readonly string[],
  kind: TextKind,
  { signal, retries = config.max_retries ?? DEFAULT_RETRIES, backoffMs = BACKOFF_MS }: EmbedOptions,
): Promise<Float32Array[]> {
  for (let attempt = 0; ; attempt++) {
    try {
      signal.throwIfAborted();
      return await provider.embed({ texts, kind, model, config, signal });
    } catch (error) {
      if (!(error instanceof EmbeddingFailure) || error.remedy !== 'retry' || attempt >= retries) throw error;
      const wait = error.retryAfterMs ?? backoffMs * 2 ** attempt * (0.75 + Math.random() / 2);
      await delay(Math.min(wait, LONGEST_WAIT_MS), undefined, { signal });
    }
  }
}

/** Models that were trained with prefixes for queries and documents, and perform much worse without them. */
const prefixes: readonly (readonly [model: RegExp, query: string, document: string])[] = [
  [/nomic-embed/i, 'search_query: ', 'search_document: '],
  [/(?:^|[/-])e5-/i, 'query: ', 'passage: '],
  [
    /mxbai-embed|bge-(?:small|base|large)-en|arctic-embed/i,
    'Represent this sentence for searching relevant passages: ',
    '',
  ],
];

function prefixed(model: string, text: string, kind: TextKind): string {
  const [, query = '', document = ''] = prefixes.find(([pattern]) => pattern.test(model)) ?? [];
  return (kind === 'query' ? query : document) + text;
}
