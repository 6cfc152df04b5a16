import { isTooDeep, MAX_DEPTH } from '../../platform/text/json-depth.ts';

/** Files are sent in the body, as base64. */
const MAX_BYTES = 16 * 1024 * 1024;

export type Body = { ok: true; value: unknown } | { ok: false; why: string };

/** The JSON of a request, within limits of size and depth; undefined without a body. */
export async function readBody(request: Request): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = request.body;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    // The rest is read and discarded, so that the client can receive the response.
    if (length <= MAX_BYTES) chunks.push(chunk);
  }
  if (length > MAX_BYTES) return { ok: false, why: `The body is larger than ${MAX_BYTES} bytes.` };
  if (length === 0) return { ok: true, value: undefined };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    if (isTooDeep(text)) return { ok: false, why: `The body is nested more than ${MAX_DEPTH} levels deep.` };
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, why: 'The body is not JSON.' };
  }
}
