/** Texts could not be embedded. The message says what to do and contains no secret. */
export class EmbeddingFailure extends Error {
  /** `retry` if the same request may work later, `split` if fewer or shorter texts may work now. */
  readonly remedy: 'retry' | 'split' | null;
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    options: { remedy?: 'retry' | 'split' | null; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'EmbeddingFailure';
    this.remedy = options.remedy ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
