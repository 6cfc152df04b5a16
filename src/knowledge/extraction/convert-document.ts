import type { ConvertedDocument, ConvertedKind } from './converted-document.ts';
import { titleOf } from './document-title.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { pdfToMarkdown } from './pdf-to-markdown.ts';
import { unpacksWithin } from './unpacked-size.ts';

/** The total unpacked size of a DOCX. */
const UNPACKED_LIMIT = 256 * 1024 * 1024;

/** Converts in this process: a hostile document can take all of its memory and time. See `createConverter`. */
export async function convertDocument(
  kind: ConvertedKind,
  content: Uint8Array | string,
): Promise<ConvertedDocument> {
  try {
    if (kind === 'pdf') return { description: null, ...(await pdfToMarkdown(bytesOf(content))) };
    const html = kind === 'html' ? textOf(content) : await docxToHtml(bytesOf(content));
    const page = await htmlToMarkdown(html);
    return { ...page, title: page.title ?? titleOf(page.markdown) };
  } catch (error) {
    if (error instanceof RangeError) throw new Error('its elements are nested too deeply', { cause: error });
    throw error;
  }
}

async function docxToHtml(bytes: Uint8Array): Promise<string> {
  if (!(await unpacksWithin(bytes, UNPACKED_LIMIT)))
    throw new Error(`it unpacks to more than ${UNPACKED_LIMIT / (1024 * 1024)} MiB`);
  const { convertToHtml } = await import('./mammoth.ts');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (await convertToHtml({ buffer }, { externalFileAccess: false })).value;
}

const bytesOf = (content: Uint8Array | string) =>
  typeof content === 'string' ? Buffer.from(content) : content;

const textOf = (content: Uint8Array | string) =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);
