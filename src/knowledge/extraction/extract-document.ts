import { posix } from 'node:path';
import { parseFrontMatter } from '../../platform/files/front-matter.ts';
import type { ExtractedDocument } from '../document.ts';
import { SourceError } from '../source-error.ts';
import { type ContentKind, isBinary, namedKind } from './content-kind.ts';
import { decodeText, encodingInHtml, namedEncoding } from './decode-text.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { zipSize } from './zip-size.ts';

/** Raised when the same bytes give another document than before: everything is then read again. */
export const EXTRACTION_VERSION = 2;

/** What an item of this kind may have at most. More is left out, with this as the reason. */
export const SIZE_LIMITS: Readonly<Record<ContentKind, number>> = {
  text: 64 * 1024 * 1024,
  markdown: 64 * 1024 * 1024,
  html: 8 * 1024 * 1024,
  pdf: 64 * 1024 * 1024,
  docx: 32 * 1024 * 1024,
};

/** Of all the files in a DOCX: a small one can hold more than fits into memory. */
const UNPACKED_LIMIT = 256 * 1024 * 1024;

export type Extraction =
  /** `note` is something to tell, though it could be read. */
  | { kind: 'document'; document: ExtractedDocument; note: string | null }
  | { kind: 'skipped'; reason: string };

export interface ExtractedFrom {
  path: string;
  title?: string | undefined;
  mimeType?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** Rejects with a reason for people where the content is not what it says it is. */
export async function extractDocument(
  content: Uint8Array | string,
  item: ExtractedFrom,
  signal: AbortSignal,
): Promise<Extraction> {
  const kind = namedKind(item.path, item.mimeType);
  const size = typeof content === 'string' ? content.length : content.byteLength;
  const tooLarge = sizeProblem(kind, size);
  if (tooLarge !== null) return { kind: 'skipped', reason: tooLarge };

  const metadata = item.metadata ?? {};
  const named = item.title ?? null;
  const fallback = posix.basename(item.path) || item.path;
  if (kind === 'pdf') {
    const { pdfToMarkdown } = await import('./pdf-to-markdown.ts');
    const pdf = await readable('PDF', () => pdfToMarkdown(bytesOf(content), signal), signal);
    return converted('pdf', pdf.markdown, named ?? pdf.title ?? fallback, metadata);
  }
  if (kind === 'docx') {
    const unpacked = zipSize(bytesOf(content)) ?? 0;
    if (unpacked > UNPACKED_LIMIT)
      return { kind: 'skipped', reason: 'is far larger unpacked than it should be' };
    const html = await readable('DOCX', () => docxToHtml(bytesOf(content)), signal);
    const { markdown } = await htmlToMarkdown(html);
    return converted('docx', markdown, named ?? firstHeading(markdown) ?? fallback, metadata);
  }

  const encoding = typeof content === 'string' ? null : encodingOf(content, kind, item);
  if (typeof content !== 'string' && looksBinary(content, encoding))
    return { kind: 'skipped', reason: 'is not text' };
  const { text, note } =
    typeof content === 'string' ? { text: content, note: null } : decodeText(content, encoding);
  const left = leftOut(text);
  if (left !== null) return { kind: 'skipped', reason: left };
  if (kind === 'html') {
    const { title, description, markdown } = await readable('HTML', () => htmlToMarkdown(text), signal);
    const all = description === null ? metadata : { description, ...metadata };
    return converted('html', markdown, named ?? title ?? firstHeading(markdown) ?? fallback, all, note);
  }
  if (kind === 'markdown') return extractMarkdown(text, named, fallback, metadata, note);
  const mimeType = item.mimeType?.split(';', 1)[0] ?? 'text/plain';
  return { kind: 'document', document: { title: named ?? fallback, mimeType, text, metadata }, note };
}

/** What was said about it, or what it says itself; null for UTF-8 and where nobody says anything. */
function encodingOf(bytes: Uint8Array, kind: ContentKind, { mimeType = '' }: ExtractedFrom): string | null {
  const said = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(mimeType)?.[1] ?? null;
  return namedEncoding(said ?? (kind === 'html' ? encodingInHtml(bytes) : null));
}

/** Where the encoding is known, bytes that would be odd in UTF-8 say nothing. */
function looksBinary(bytes: Uint8Array, encoding: string | null): boolean {
  if (encoding === null) return isBinary(bytes);
  return !encoding.startsWith('utf-16') && bytes.includes(0);
}

/** Why an item of this size is left out; null where it is not. */
export function sizeProblem(kind: ContentKind, bytes: number): string | null {
  const limit = SIZE_LIMITS[kind];
  if (bytes <= limit) return null;
  const megabytes = (of: number) => Math.round(of / (1024 * 1024));
  return `is larger than ${megabytes(limit)} MiB (${megabytes(bytes)} MiB)`;
}

async function extractMarkdown(
  text: string,
  named: string | null,
  fallback: string,
  metadata: Record<string, unknown>,
  note: string | null,
): Promise<Extraction> {
  const matter = text.startsWith('+++') ? await parseTomlMatter(text) : await parseFrontMatter(text);
  const fields =
    matter.kind === 'found' ? plainValues(matter.fields.map(({ key, value }) => [key, value])) : {};
  const titled = typeof fields.title === 'string' && fields.title !== '' ? fields.title : null;
  // A text may also begin with a rule, and have another one further down.
  const isMatter = /^---[ \t]*\n\s*["']?[\w-]+["']?[ \t]*:|^\+\+\+/.test(text);
  const broken = matter.kind === 'broken' && isMatter ? `its front matter was left out: ${matter.why}` : null;
  return {
    kind: 'document',
    document: {
      title: named ?? titled ?? firstHeading(text) ?? fallback,
      mimeType: 'text/markdown',
      text,
      metadata: { ...fields, ...metadata },
    },
    note: note ?? broken,
  };
}

type TomlMatter =
  | { kind: 'none' }
  | { kind: 'broken'; why: string }
  | { kind: 'found'; fields: { key: string; value: unknown }[] };

/** As Hugo and Zola have it: TOML between lines of `+++`. */
async function parseTomlMatter(text: string): Promise<TomlMatter> {
  const written = /^\+\+\+[ \t]*\n([^]*?)^\+\+\+[ \t]*$/m.exec(text)?.[1];
  if (written === undefined) return { kind: 'none' };
  const { parse } = await import('smol-toml');
  try {
    return { kind: 'found', fields: Object.entries(parse(written)).map(([key, value]) => ({ key, value })) };
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    return { kind: 'broken', why };
  }
}

const METADATA_LIMIT = 64 * 1024;

/** As JSON has them, one by one: a value that JSON cannot say, or an excessive one, is left out. */
function plainValues(fields: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [key, value] of fields) {
    try {
      const written: string | undefined = JSON.stringify(value);
      if (written === undefined || written.length > METADATA_LIMIT) continue;
      const parsed: unknown = JSON.parse(written);
      Object.defineProperty(plain, key, { value: parsed, enumerable: true, configurable: true });
    } catch {
      continue;
    }
  }
  return plain;
}

function converted(
  format: string,
  text: string,
  title: string,
  metadata: Record<string, unknown>,
  note: string | null = null,
): Extraction {
  if (text.trim() === '') return { kind: 'skipped', reason: 'has no text in it' };
  const document = { title, mimeType: 'text/markdown', text, metadata: { format, ...metadata } };
  return { kind: 'document', document, note };
}

const HEADING_WITHIN = 4_096;

function firstHeading(text: string): string | null {
  const found = /^#{1,2}[ \t]+(.+?)[ \t]*#*$|^(\S.*)\n=+[ \t]*$/m.exec(text.slice(0, HEADING_WITHIN));
  const heading = (found?.[1] ?? found?.[2])?.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
  return heading?.trim() || null;
}

function leftOut(text: string): string | null {
  if (text.startsWith('version https://git-lfs.github.com/spec/')) return 'is a pointer of Git LFS';
  if (/^\s*-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text.slice(0, 200))) return 'is a private key';
  return null;
}

async function docxToHtml(bytes: Uint8Array): Promise<string> {
  const { convertToHtml } = await import('./mammoth.ts');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (await convertToHtml({ buffer }, { externalFileAccess: false })).value;
}

const bytesOf = (content: Uint8Array | string) =>
  typeof content === 'string' ? Buffer.from(content) : content;

async function readable<T>(what: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    if (/password/i.test(why ?? '')) throw new SourceError(`is a ${what} that needs a password`);
    throw new SourceError(`could not be read as ${what}: ${why}`);
  }
}
