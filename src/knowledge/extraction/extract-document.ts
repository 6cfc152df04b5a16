import { posix } from 'node:path';
import { messageOf } from '../../platform/text/error-message.ts';
import type { ExtractedDocument } from '../document.ts';
import { SourceError } from '../source-error.ts';
import { type ContentKind, isBinary, namedKind } from './content-kind.ts';
import type { ConvertDocument, ConvertedDocument, ConvertedKind } from './converted-document.ts';
import { decodeText, encodingInHtml, namedEncoding } from './decode-text.ts';
import { titleOf } from './document-title.ts';
import { readFrontMatter } from './front-matter.ts';
import { sizeProblem } from './size-limits.ts';

/** Increase when the same bytes produce a different document: all documents are then read again. */
export const EXTRACTION_VERSION = 4;

export type Extraction =
  /** `note` is a warning about a document that could be read. */
  | { kind: 'document'; document: ExtractedDocument; note: string | null }
  | { kind: 'skipped'; reason: string };

export interface ExtractedFrom {
  path: string;
  title?: string | undefined;
  mimeType?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface ExtractOptions {
  convert: ConvertDocument;
  signal: AbortSignal;
}

/** Rejects with a readable reason if the content does not match its name or type. */
export async function extractDocument(
  content: Uint8Array | string,
  item: ExtractedFrom,
  options: ExtractOptions,
): Promise<Extraction> {
  const kind = namedKind(item.path, item.mimeType);
  const size = typeof content === 'string' ? content.length : content.byteLength;
  const tooLarge = sizeProblem(kind, size);
  if (tooLarge !== null) return { kind: 'skipped', reason: tooLarge };
  if (kind === 'pdf' || kind === 'docx')
    return converted(await convert(kind, content, options), kind, item, null);

  const encoding = typeof content === 'string' ? null : encodingOf(content, kind, item);
  if (typeof content !== 'string' && looksBinary(content, encoding))
    return { kind: 'skipped', reason: 'is not text' };
  const { text, note } =
    typeof content === 'string' ? { text: content, note: null } : decodeText(content, encoding);
  const unwanted = unwantedText(text);
  if (unwanted !== null) return { kind: 'skipped', reason: unwanted };
  if (kind === 'html') return converted(await convert(kind, text, options), kind, item, note);
  return kind === 'markdown' ? extractMarkdown(text, item, note) : plainText(text, item, note);
}

const nameOf = ({ path }: ExtractedFrom): string => posix.basename(path) || path;

/** The encoding that its source or the page itself declares; null for UTF-8, and if there is none. */
function encodingOf(bytes: Uint8Array, kind: ContentKind, { mimeType = '' }: ExtractedFrom): string | null {
  const declared = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(mimeType)?.[1] ?? null;
  return namedEncoding(declared ?? (kind === 'html' ? encodingInHtml(bytes) : null));
}

/** Bytes that are unusual in UTF-8 are not suspicious if another encoding was declared. */
function looksBinary(bytes: Uint8Array, encoding: string | null): boolean {
  if (encoding === null) return isBinary(bytes);
  return !encoding.startsWith('utf-16') && bytes.includes(0);
}

function unwantedText(text: string): string | null {
  if (text.startsWith('version https://git-lfs.github.com/spec/')) return 'is a Git LFS pointer';
  if (/^\s*-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text.slice(0, 200))) return 'is a private key';
  return null;
}

async function extractMarkdown(
  text: string,
  item: ExtractedFrom,
  encodingNote: string | null,
): Promise<Extraction> {
  const { fields, problem } = await readFrontMatter(text);
  const declared = typeof fields.title === 'string' && fields.title !== '' ? fields.title : null;
  const document = {
    title: item.title ?? declared ?? titleOf(text) ?? nameOf(item),
    mimeType: 'text/markdown',
    text,
    metadata: { ...fields, ...item.metadata },
  };
  return { kind: 'document', document, note: encodingNote ?? problem };
}

function plainText(text: string, item: ExtractedFrom, note: string | null): Extraction {
  const mimeType = item.mimeType?.split(';', 1)[0] ?? 'text/plain';
  const title = item.title ?? nameOf(item);
  return { kind: 'document', document: { title, mimeType, text, metadata: item.metadata ?? {} }, note };
}

function converted(
  { title, description, markdown }: ConvertedDocument,
  format: ConvertedKind,
  item: ExtractedFrom,
  note: string | null,
): Extraction {
  if (markdown.trim() === '') return { kind: 'skipped', reason: 'contains no text' };
  const document = {
    title: item.title ?? title ?? nameOf(item),
    mimeType: 'text/markdown',
    text: markdown,
    metadata: { format, ...(description === null ? {} : { description }), ...item.metadata },
  };
  return { kind: 'document', document, note };
}

async function convert(
  kind: ConvertedKind,
  content: Uint8Array | string,
  options: ExtractOptions,
): Promise<ConvertedDocument> {
  try {
    return await options.convert(kind, content, options.signal);
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof SourceError) throw error;
    const why = messageOf(error).split('\n', 1)[0] ?? '';
    const format = kind.toUpperCase();
    if (/password/i.test(why)) throw new SourceError(`is a password-protected ${format}`);
    throw new SourceError(`could not be read as ${format}: ${why}`);
  }
}
