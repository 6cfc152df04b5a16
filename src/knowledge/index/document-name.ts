import { createHash } from 'node:crypto';

const LENGTH = 12;

/** The id of a document: the same after every sync, for it follows from where the document is. */
export function documentName(
  source: { owner: string | null; type: string; name: string },
  path: string,
): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([source.owner ?? '', source.type, source.name, path]))
    .digest('hex');
  // Letters and digits alone: it stands in URLs, in file names and after options of a command.
  return BigInt(`0x${digest}`).toString(36).padStart(50, '0').slice(-LENGTH);
}

/** Of what is embedded of a chunk. */
export function chunkHash(headings: readonly string[], body: string): Uint8Array {
  return createHash('sha256')
    .update(JSON.stringify(headings))
    .update('\0')
    .update(body)
    .digest()
    .subarray(0, 16);
}
