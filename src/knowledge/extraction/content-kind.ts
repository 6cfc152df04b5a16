import { posix } from 'node:path';
import { isBinaryFileSync } from 'isbinaryfile';

export type ContentKind = 'markdown' | 'html' | 'pdf' | 'docx' | 'text';

const byExtension: Readonly<Record<string, ContentKind>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'markdown',
  '.mdc': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.pdf': 'pdf',
  '.docx': 'docx',
};

const byMimeType: Readonly<Record<string, ContentKind>> = {
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/plain': 'text',
};

/** By what its source says it is, or else by its name: whether it is that, its content decides. */
export function namedKind(path: string, mimeType?: string): ContentKind {
  if (mimeType === undefined) return byExtension[posix.extname(path).toLowerCase()] ?? 'text';
  const said = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const named = byExtension[posix.extname(path).toLowerCase()];
  // Servers send Markdown and much else as plain text.
  if (said === 'text/plain' && named === 'markdown') return named;
  return byMimeType[said] ?? named ?? 'text';
}

/** What is known to be no text, before anything is read of it. */
const binaryExtensions = new Set(
  (
    'png jpg jpeg gif webp avif bmp ico tif tiff psd heic mp3 mp4 m4a m4v mov avi mkv webm ogg oga ogv wav flac aac ' +
    'zip gz tgz bz2 xz zst 7z rar tar jar war iso dmg exe dll so dylib a o obj class pyc wasm bin dat db sqlite ' +
    'sqlite3 woff woff2 ttf otf eot xls xlsx ppt pptx doc odt ods odp parquet avro npy npz pt onnx gguf safetensors'
  ).split(' '),
);

export const isBinaryName = (path: string) =>
  binaryExtensions.has(posix.extname(path).slice(1).toLowerCase());

export const isBinary = (bytes: Uint8Array) =>
  isBinaryFileSync(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), bytes.byteLength);
