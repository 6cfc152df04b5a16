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

/** The kind that its source declares, or else the one its name suggests. The content may still turn out to be something else. */
export function namedKind(path: string, mimeType?: string): ContentKind {
  if (mimeType === undefined) return byExtension[posix.extname(path).toLowerCase()] ?? 'text';
  const declared = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const named = byExtension[posix.extname(path).toLowerCase()];
  // Many servers send Markdown as plain text.
  if (declared === 'text/plain' && named === 'markdown') return named;
  return byMimeType[declared] ?? named ?? 'text';
}

/** Extensions of binary files, which are skipped without reading them. */
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
  isBinaryFileSync(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), bytes.byteLength) &&
  !isWesternText(bytes);

const CHECKED_BYTES = 4096;
const LEAST_ASCII = 0.7;

/** A short text with a few accents in Latin-1 or Windows-1252: it has no control characters. */
function isWesternText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, CHECKED_BYTES);
  // A truncated PDF may look like text.
  if (Buffer.from(start.subarray(0, 5)).toString('latin1') === '%PDF-') return false;
  const isControl = (byte: number) => byte === 0x7f || (byte < 0x20 && ![9, 10, 12, 13].includes(byte));
  if (start.some(isControl)) return false;
  return start.filter((byte) => byte < 0x80).length >= LEAST_ASCII * start.length;
}
