import type { Readable } from 'node:stream';
import { ZooError } from '../../contract/errors.ts';
import { messageOf } from '../../platform/text/error-message.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON of a request, or undefined where it has no body. Never holds more than `limit` bytes of it. */
export async function readJson(request: Request, limit: number, incoming?: Readable): Promise<unknown> {
  const declared = request.headers.get('content-length');
  if (declared === '0') return undefined;
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit);
  const bytes =
    declared === null ? await readBounded(request.body, limit) : await readDeclared(request, incoming);
  if (bytes.byteLength === 0) return undefined;
  const type = request.headers.get('content-type');
  if (type === null || !JSON_TYPE.test(type)) {
    throw new ZooError(
      'invalid_format',
      `The body has to be JSON with \`Content-Type: application/json\`, not ${type === null ? 'without one' : JSON.stringify(type)}`,
    );
  }
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw await notJson(text, error);
  }
}

/** HTTP itself holds a body to its declared length, so this way, the quickest, is bounded too. */
async function readDeclared(request: Request, incoming: Readable | undefined): Promise<Uint8Array> {
  try {
    return incoming ? await readWhole(incoming) : new Uint8Array(await request.arrayBuffer());
  } catch (error) {
    throw brokeOff(error);
  }
}

/** Straight from Node's own stream: by way of a `Request`, a small body takes as long as everything else together. */
function readWhole(incoming: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('the caller has gone'));
    if (incoming.destroyed) return gone();
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.once('error', reject);
    // After its end this settles nothing any more.
    incoming.once('close', gone);
  });
}

async function readBounded(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw brokeOff(error);
    });
    if (done) return Buffer.concat(chunks);
    length += value.byteLength;
    // The rest is left to the server, which reads it away so that the caller can hear the answer.
    if (length > limit) throw tooLarge(limit);
    chunks.push(value);
  }
}

const tooLarge = (limit: number): ZooError =>
  new ZooError('too_large', `The body is larger than ${limit} bytes`, { limit });

const brokeOff = (error: unknown): ZooError =>
  new ZooError('invalid_format', `The body broke off: ${messageOf(error)}`);

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ZooError('invalid_format', 'The body is not UTF-8');
  }
}

/** Older engines do not say where JSON is wrong, so a parser that does is asked, once something is. */
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
