import { call } from '../../data/hub.ts';

/** Reads a backup part by part and hands it to the browser as a file. */
export async function downloadBackup(name: string, onRead: (bytes: number) => void): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let at: number | null = 0;
  while (at !== null) {
    const part: { data: string; next: number | null } = await call('readBackup', { name, offset: at });
    parts.push(Uint8Array.from(atob(part.data), (character) => character.charCodeAt(0)));
    at = part.next;
    if (at !== null) onRead(at);
  }
  const address = URL.createObjectURL(new Blob(parts, { type: 'application/vnd.sqlite3' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
