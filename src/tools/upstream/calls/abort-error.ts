export function abortError({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('aborted');
}
