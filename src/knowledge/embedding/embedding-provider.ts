import { createHash } from 'node:crypto';
import type { Config } from '../../contract/config.ts';

export type EmbeddingConfig = NonNullable<Config['embedding']> & {
  /** Why no request may be sent: an unset variable. */
  unset?: string | null;
  /** Values that are masked in every text that is sent. */
  secrets?: readonly string[];
};

/** Some models treat queries and documents differently. */
export type TextKind = 'document' | 'query';

/**
 * Turns texts into vectors. A new provider is a file in `providers/` and a line in its index. `embed` makes one attempt
 * for one batch; the caller decides on batch sizes and retries. It throws `EmbeddingFailure`, never with the key.
 */
export interface EmbeddingProvider {
  name: 'openai' | 'ollama' | 'local';
  defaultModel: string;
  /** The address, if models with the same name may differ between servers; otherwise null. */
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

/** Only vectors with equal fingerprints are compared. */
export function fingerprintOf(provider: EmbeddingProvider, config: EmbeddingConfig): string {
  const model = config.model ?? provider.defaultModel;
  return createHash('sha256')
    .update(JSON.stringify([provider.name, model, config.dims ?? null, provider.place(config)]))
    .digest('hex')
    .slice(0, 16);
}
