import { createHash } from 'node:crypto';

const LENGTH = 12;

/** The id of a document, derived from its source and path, so it is the same after every sync. */
export function documentName(
  source: { owner: string | null; type: string; name: string },
  path: string,
): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([source.owner ?? '', source.type, source.name, path]))
    .digest('hex');
  // Only letters and digits: it is used in URLs, file names and command lines.
  return BigInt(`0x${digest}`).toString(36).padStart(50, '0').slice(-LENGTH);
}

/** A hash of the text of a chunk that is embedded. */
export function chunkHash(headings: readonly string[], body: string): Uint8Array {
  return createHash('sha256')
    .update(JSON.stringify(headings))
    .update('\0')
    .update(body)
    .digest()
    .subarray(0, 16);
}
