import { FileText, X } from 'lucide-react';
import type { ChatTurn } from '../../../../src/contract/chat.ts';
import { call } from '../../data/hub.ts';

export type FilePart = Extract<ChatTurn['input'][number], { type: 'file' }>;

/** Together they travel in one request. */
const MOST_BYTES = 11 * 1024 * 1024;

export async function readFiles(files: Iterable<File>): Promise<FilePart[]> {
  const list = [...files];
  if (list.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES)
    throw new Error(
      'The files are larger than 11 MB together. Attach fewer, or put them into a knowledge source.',
    );
  return Promise.all(
    list.map(async (file) => ({
      type: 'file' as const,
      // Browsers leave it empty for Markdown, TOML and most source code, which is text.
      mediaType: file.type === '' ? 'text/plain' : file.type,
      name: file.name,
      data: toBase64(new Uint8Array(await file.arrayBuffer())),
    })),
  );
}

/** A document of the knowledge base, as the agent would get it. */
export async function readDocument(id: string): Promise<FilePart> {
  const { body, path } = await call('getDocument', { id });
  const data = toBase64(new TextEncoder().encode(body));
  return { type: 'file', mediaType: 'text/markdown', name: path, data };
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x80_00)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x80_00));
  return btoa(text);
}

interface AttachmentsProps {
  files: readonly FilePart[];
  onRemove: (file: FilePart) => void;
}

export function Attachments({ files, onRemove }: AttachmentsProps) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Attached" className="flex flex-wrap gap-2">
      {files.map((file, index) => (
        <li
          key={index}
          className="flex items-center gap-1.5 rounded-md border border-line bg-wash pl-2 text-xs"
        >
          <FileText className="size-3.5 text-faint" />
          <span className="max-w-56 truncate">{file.name}</span>
          <button
            type="button"
            aria-label={`Remove ${file.name ?? 'file'}`}
            onClick={() => onRemove(file)}
            className="grid size-6 place-items-center text-faint hover:text-ink"
          >
            <X className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}
