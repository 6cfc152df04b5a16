import type { Readable } from 'node:stream';
import { ZooError } from '../../contract/errors.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import { isTooDeep, MAX_DEPTH } from '../../platform/text/json-depth.ts';
import type { Asked } from './asked.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON of a request, or undefined where it has no body. Never holds more than `limit` bytes of it. */
export async function readJson(
  headers: Asked['headers'],
  incoming: Readable,
  limit: number,
): Promise<unknown> {
  const declared = headers.get('content-length');
  if (declared === '0') return undefined;
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit);
  const bytes = await readBytes(incoming, limit);
  if (bytes.byteLength === 0) return undefined;
  const type = headers.get('content-type');
  if (type === null || !JSON_TYPE.test(type)) {
    const given = type === null ? 'it has no Content-Type' : `not ${JSON.stringify(type)}`;
    throw new ZooError(
      'invalid_format',
      `The body must be JSON with \`Content-Type: application/json\`: ${given}`,
      { contentType: type },
    );
  }
  const text = decode(bytes);
  if (isTooDeep(text)) {
    throw new ZooError('invalid_format', `The body is nested more than ${MAX_DEPTH} levels deep`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw await notJson(text, error);
  }
}

/** Reads Node's own stream: with a web `Request`, a small body takes as long as everything else combined. */
function readBytes(incoming: Readable, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const fail = (error: ZooError): void => {
      stopListening();
      reject(error);
    };
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= limit) return;
      // The rest is read and discarded, so that the client receives the response.
      incoming.resume();
      fail(tooLarge(limit));
    };
    const onEnd = (): void => {
      stopListening();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    };
    const onError = (error: Error): void => fail(interrupted(error));
    const onClose = (): void => fail(interrupted(new Error('the client disconnected')));
    const stopListening = (): void => {
      incoming.off('data', onData).off('end', onEnd).off('close', onClose);
      // Without a listener, a later error would be unhandled.
      incoming.off('error', onError).on('error', () => undefined);
    };
    if (incoming.destroyed) return onClose();
    incoming.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

const tooLarge = (limit: number): ZooError =>
  new ZooError('too_large', `The body is larger than ${limit} bytes`, { limit });

const interrupted = (error: unknown): ZooError =>
  new ZooError('invalid_format', `The body is incomplete: ${messageOf(error)}`);

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ZooError('invalid_format', 'The body is not UTF-8');
  }
}

/** Older engines do not report the position of a JSON error, so another parser locates it. */
async function notJson(text: string, error: unknown): Promise<ZooError> {
  const { visit, printParseErrorCode } = await import('jsonc-parser');
  let where: { line: number; column: number; problem: string } | undefined;
  visit(
    text,
    {
      onError(code, _offset, _length, line, column) {
        where ??= { line: line + 1, column: column + 1, problem: printParseErrorCode(code) };
      },
    },
    { disallowComments: true },
  );
  const said = messageOf(error);
  if (!where) return new ZooError('invalid_format', `The body is not JSON: ${said}`);
  return new ZooError(
    'invalid_format',
    `The body is not JSON (line ${where.line}, column ${where.column}): ${said}`,
    where,
  );
}
