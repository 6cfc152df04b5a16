import { brotliDecompressSync, inflateRawSync, inflateSync, unzipSync } from 'node:zlib';
import { codeOf } from '../../platform/files/text-file.ts';
import { SourceError } from '../source-error.ts';

type Unpack = (body: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/** Servers disagree about what deflate means. */
const inflate: Unpack = (body, options) =>
  (body.length > 0 && ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync : inflateRawSync)(body, options);

const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: unzipSync,
  'x-gzip': unzipSync,
  deflate: inflate,
  br: brotliDecompressSync,
};

/** The body as it was before the server packed it for the way. */
export function unpackBody(
  { headers, body }: { headers: Record<string, string>; body: Uint8Array },
  maxBytes: number,
): Uint8Array {
  const packed = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (packed === '' || packed === 'identity' || body.length === 0) return body;
  const unpack = unpackers[packed];
  if (!unpack) throw new SourceError(`is sent packed as '${packed}', which cannot be unpacked`);
  try {
    return unpack(body, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new SourceError(
      codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
        ? `is larger than ${maxBytes} bytes once it is unpacked`
        : `could not be unpacked from ${packed}`,
    );
  }
}
