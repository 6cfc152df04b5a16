import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** A PDF with a line of text on each page. */
export const pdfOf = (pages: readonly string[]): Buffer =>
  pdfWith(
    pages.map((text) => {
      const stream = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
      return `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`;
    }),
  );

/** A small PDF whose one page unpacks to this size. */
export function pdfBomb(megabytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, ' '), { level: 1 }).toString('latin1');
  return pdfWith([`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed}\nendstream`]);
}

/** @param pages the stream of each page */
function pdfWith(pages: readonly string[]): Buffer {
  const first = 4;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${first + at * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((stream, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + at * 2 + 1} 0 R >>`,
      stream,
    ]),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const table = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

/** A DOCX with these paragraphs, each with a style or none. */
export function docxOf(paragraphs: readonly (readonly [string | null, string])[]): Buffer {
  return zipOf(docxFiles(paragraphs));
}

/** A small DOCX that unpacks to this size, and claims to unpack to a few bytes. */
export function docxBomb(megabytes: number): Buffer {
  const document = Buffer.alloc(megabytes * 1024 * 1024, ' ');
  return zipOf({ ...docxFiles([]), 'word/document.xml': document }, { claimedSize: 16 });
}

function docxFiles(paragraphs: readonly (readonly [string | null, string])[]): Record<string, string> {
  const body = paragraphs
    .map(
      ([style, text]) =>
        `<w:p>${style === null ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`,
    )
    .join('');
  const office = 'http://schemas.openxmlformats.org';
  return {
    '[Content_Types].xml': `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  };
}

/** Without compression, unless it lies about sizes. */
function zipOf(files: Record<string, string | Buffer>, lie?: { claimedSize: number }): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content);
    const data = lie ? deflateRawSync(plain, { level: 1 }) : plain;
    const facts = Buffer.alloc(20);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(lie ? 8 : 0, 4);
    facts.writeUInt32LE(crc32(plain), 10);
    facts.writeUInt32LE(data.length, 14);
    const sizes = Buffer.alloc(8);
    sizes.writeUInt32LE(lie?.claimedSize ?? plain.length, 0);
    sizes.writeUInt16LE(Buffer.byteLength(name), 4);
    const head = Buffer.concat([facts.subarray(0, 18), sizes.subarray(0, 4), sizes.subarray(4, 8)]);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), head, Buffer.from(name), data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), head, rest, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\u0005\u0006'), end]);
}
