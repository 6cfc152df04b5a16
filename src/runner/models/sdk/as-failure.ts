import { APICallError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { messageOf } from '../../../platform/text/error-message.ts';
import { parseRetryAfter } from '../../../platform/text/retry-after.ts';
import { ModelFailure } from '../model.ts';
import type { ConfiguredProvider } from '../provider.ts';

const OVERFLOW =
  /context.{0,20}(length|window|limit)|too many (input )?tokens|prompt is too long|maximum.{0,20}tokens/i;

const UNREADABLE = /^(JSON) parsing failed: Text: (.*)$|^Type validation failed: Value: (.*)$/m;

/** Sorts an error of the SDK by what the run does about it: retry, wait, shorten the conversation or stop. */
export function asFailure(error: unknown, { title, apiKey }: ConfiguredProvider): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const plain = messageOf(error);
  const reason = asSentence(apiKey ? plain.replaceAll(apiKey, '[key]') : plain);
  const unreadable = UNREADABLE.exec(reason);
  // The SDK invents a status of 500 for some of these.
  if (unreadable) {
    const kind = unreadable[1] === 'JSON' ? 'it is not JSON' : 'it has an unexpected form';
    return new ModelFailure(
      'broken-stream',
      `The answer of ${title} cannot be read: ${kind}: ${firstWords(unreadable[2] ?? unreadable[3] ?? '')}.`,
    );
  }
  if (UnsupportedFunctionalityError.isInstance(error))
    return new ModelFailure('fatal', `${title} cannot take this request: ${reason}`);
  if (!APICallError.isInstance(error)) {
    return new ModelFailure('broken-stream', `The connection to ${title} broke: ${reason}`);
  }
  const { statusCode: status = 0, responseHeaders = {}, responseBody = '' } = error;
  if (status >= 200 && status < 300) {
    return new ModelFailure(
      'broken-stream',
      `The answer of ${title} broke off: ${asSentence(messageOf(error.cause ?? error))}`,
    );
  }
  if (status === 429) {
    return new ModelFailure(
      'rate-limit',
      `${title} reached its rate limit (429): ${reason}`,
      parseRetryAfter(responseHeaders['retry-after']),
    );
  }
  if (status >= 500 || status === 408 || status === 0) {
    return new ModelFailure(
      'overloaded',
      `${title} failed (${status || 'no connection'}): ${reason}`,
      parseRetryAfter(responseHeaders['retry-after']),
    );
  }
  if (OVERFLOW.test(reason) || OVERFLOW.test(responseBody.slice(0, 4_000))) {
    return new ModelFailure('context-overflow', `The conversation is too long for this model: ${reason}`);
  }
  const advice = status === 401 || status === 403 ? ' Check the key of this provider (`zoo providers`).' : '';
  return new ModelFailure('fatal', `${title} refused the request (${status}): ${reason}${advice}`);
}

/** Enough to recognise the page of a proxy. */
const firstWords = (text: string): string =>
  text.length > 100 ? `${text.slice(0, 100)}…` : text.replace(/\.$/, '');

/** Messages are followed by others, such as when the request is repeated. */
const asSentence = (text: string): string => (/[.!?]\s*$/.test(text) ? text.trimEnd() : `${text}.`);
