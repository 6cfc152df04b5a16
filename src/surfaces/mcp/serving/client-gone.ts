import { messageOf } from '../../../platform/text/error-message.ts';

const CODES: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

/** Whether sending failed because the client has disconnected, which it may do at any time. */
export function isClientGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return CODES.has(code) || /closed|not connected/i.test(messageOf(error));
}
