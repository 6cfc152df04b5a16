export interface PdfText {
  title: string | null;
  markdown: string;
}

/** The text of each page below a heading with its number, which then appears with every passage of that page. */
export async function pdfToMarkdown(bytes: Uint8Array): Promise<PdfText> {
  const { getDocumentProxy } = await import('unpdf');
  // A copy, since the library detaches the buffer.
  const pdf: unknown = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  if (!isPdf(pdf)) throw new Error('it has no pages');
  try {
    const pages: string[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map(textOf).join('');
      page.cleanup();
      if (text.trim() !== '') pages.push(`## Page ${number}\n\n${escapeHeadings(text.trim())}\n`);
    }
    const { info } = await pdf.getMetadata().catch(() => ({ info: null }));
    return { title: titleIn(info), markdown: pages.join('\n') };
  } finally {
    await pdf.destroy();
  }
}

/** The part of the API used here: the package's own types do not resolve. */
interface Pdf {
  numPages: number;
  getPage(number: number): Promise<{ getTextContent(): Promise<{ items: unknown[] }>; cleanup(): unknown }>;
  getMetadata(): Promise<{ info: unknown }>;
  destroy(): Promise<void>;
}

function isPdf(value: unknown): value is Pdf {
  return typeof value === 'object' && value !== null && 'numPages' in value && 'getPage' in value;
}

function titleIn(info: unknown): string | null {
  if (typeof info !== 'object' || info === null || !('Title' in info)) return null;
  return typeof info.Title === 'string' ? info.Title.trim() || null : null;
}

function textOf(item: unknown): string {
  if (typeof item !== 'object' || item === null || !('str' in item) || typeof item.str !== 'string')
    return '';
  return 'hasEOL' in item && item.hasEOL === true ? `${item.str}\n` : item.str;
}

/** Lines of the text that look like a heading or a fence. */
const escapeHeadings = (text: string) => text.replace(/^(#{1,6}\s|```|~~~)/gm, '\\$1');
