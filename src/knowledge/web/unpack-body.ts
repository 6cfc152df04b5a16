import { brotliDecompressSync, inflateRawSync, inflateSync, unzipSync } from 'node:zlib';
import { codeOf } from '../../platform/files/text-file.ts';
import { SourceError } from '../source-error.ts';

type Unpack = (body: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/** Some servers send raw deflate data, others with a zlib header. */
const inflate: Unpack = (body, options) =>
  (body.length > 0 && ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync : inflateRawSync)(body, options);

const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: unzipSync,
  'x-gzip': unzipSync,
  deflate: inflate,
  br: brotliDecompressSync,
};

/** The body without its `Content-Encoding`. */
export function unpackBody(
  { headers, body }: { headers: Record<string, string>; body: Uint8Array },
  maxBytes: number,
): Uint8Array {
  const packed = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (packed === '' || packed === 'identity' || body.length === 0) return body;
  const unpack = unpackers[packed];
  if (!unpack) throw new SourceError(`has the unsupported content encoding '${packed}'`);
  try {
    return unpack(body, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new SourceError(
      codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
        ? `is larger than ${maxBytes} bytes when unpacked`
        : `is not valid ${packed} data`,
    );
  }
}
