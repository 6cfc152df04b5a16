/** The message of anything that was thrown: JavaScript allows throwing values that are not errors. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The thrown value as an `Error`, for callers that reject or rethrow it. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
