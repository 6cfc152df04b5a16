import { call } from '../../data/hub.ts';
import { saveFile } from '../../kit/save-file.ts';

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
  saveFile(name, new Blob(parts, { type: 'application/vnd.sqlite3' }));
}
