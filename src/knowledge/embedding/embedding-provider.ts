import { createHash } from 'node:crypto';
import type { Config } from '../../contract/config.ts';

export type EmbeddingConfig = NonNullable<Config['embedding']> & {
  /** Why nothing may be sent: a variable that is not set. */
  unset?: string | null;
};

/** Some models want to know which of the two a text is. */
export type TextKind = 'document' | 'query';

/**
 * Turns texts into vectors. A new one is a file in `embedding-providers/` and a line in its index.
 * `embed` makes one attempt for one batch: how many go at once and what is tried again is decided by who calls.
 * It throws `EmbeddingFailure`, and nothing with the key in it.
 */
export interface EmbeddingProvider {
  name: 'openai' | 'ollama' | 'local';
  defaultModel: string;
  /** What tells one place from another where models of one name may differ; null where they are the same anywhere. */
  place(config: EmbeddingConfig): string | null;
  batchSize: number;
  embed(request: EmbeddingRequest): Promise<Float32Array[]>;
}

export interface EmbeddingRequest {
  texts: readonly string[];
  kind: TextKind;
  model: string;
  config: EmbeddingConfig;
  signal: AbortSignal;
}

/** Vectors with equal fingerprints may be compared; any others never are. */
export function fingerprintOf(provider: EmbeddingProvider, config: EmbeddingConfig): string {
  const model = config.model ?? provider.defaultModel;
  return createHash('sha256')
    .update(JSON.stringify([provider.name, model, config.dims ?? null, provider.place(config)]))
    .digest('hex')
    .slice(0, 16);
}
