import { call } from '../../data/hub.ts';

const PART_BYTES = 3 * 1024 * 1024;

/** Sends a file to the hub part by part. Resolves to its name among the backups. */
export async function uploadBackup(file: File, onSent: (bytes: number) => void): Promise<string> {
  const name = `uploaded-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`;
  for (let offset = 0; offset === 0 || offset < file.size; offset += PART_BYTES) {
    const part = new Uint8Array(await file.slice(offset, offset + PART_BYTES).arrayBuffer());
    const done = offset + PART_BYTES >= file.size;
    const { bytes } = await call('writeBackup', { name, body: { data: toBase64(part), offset, done } });
    onSent(bytes);
  }
  return name;
}

function toBase64(bytes: Uint8Array): string {
  // In pieces: a call takes no millions of arguments.
  const pieces = Array.from({ length: Math.ceil(bytes.length / 32_768) }, (_, index) =>
    String.fromCharCode(...bytes.subarray(index * 32_768, (index + 1) * 32_768)),
  );
  return btoa(pieces.join(''));
}
