/** Why a signal was aborted, as an error. */
export function abortError({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('it was aborted');
}
