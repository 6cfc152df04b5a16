import { createInflateRaw } from 'node:zlib';

const END_MARK = 0x06054b50;
const ENTRY_MARK = 0x02014b50;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
const LONGEST_COMMENT = 0xffff;
const DEFLATED = 8;

/**
 * Whether the total unpacked size of a zip is within a limit. Files are unpacked and discarded to measure
 * it, because the sizes that a zip declares cannot be trusted.
 */
export async function unpacksWithin(bytes: Uint8Array, limit: number): Promise<boolean> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let left = limit;
  for (const { deflated, content } of entriesOf(zip)) {
    left -= deflated ? await inflatedSize(content, left) : content.length;
    if (left < 0) return false;
  }
  return true;
}

/** Stops counting beyond the limit. */
async function inflatedSize(content: Buffer, limit: number): Promise<number> {
  const inflate = createInflateRaw();
  // Broken data is reported by the reader of the document.
  inflate.on('error', () => undefined);
  inflate.end(content);
  let size = 0;
  try {
    for await (const chunk of inflate) {
      size += Buffer.isBuffer(chunk) ? chunk.length : 0;
      if (size > limit) break;
    }
  } catch {
    return size;
  } finally {
    inflate.destroy();
  }
  return size;
}

function* entriesOf(zip: Buffer): Generator<{ deflated: boolean; content: Buffer }> {
  const end = findEnd(zip);
  if (end === null) return;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (at + ENTRY_LENGTH > zip.length || zip.readUInt32LE(at) !== ENTRY_MARK) return;
    const local = zip.readUInt32LE(at + 42);
    if (local + LOCAL_LENGTH <= zip.length) {
      const start = local + LOCAL_LENGTH + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const content = zip.subarray(start, start + zip.readUInt32LE(at + 20));
      yield { deflated: zip.readUInt16LE(at + 10) === DEFLATED, content };
    }
    at += ENTRY_LENGTH + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

function findEnd(zip: Buffer): number | null {
  const first = Math.max(0, zip.length - END_LENGTH - LONGEST_COMMENT);
  for (let at = zip.length - END_LENGTH; at >= first; at--) {
    if (zip.readUInt32LE(at) === END_MARK) return at;
  }
  return null;
}
