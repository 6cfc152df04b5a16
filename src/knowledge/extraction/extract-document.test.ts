import { afterAll, describe, expect, it } from 'vitest';
import { docxBomb, docxOf, pdfOf } from '../../../test/knowledge/office-files.ts';
import { createConverter } from './create-converter.ts';
import { extractDocument, type ExtractedFrom } from './extract-document.ts';
import { SIZE_LIMITS } from './size-limits.ts';

const converter = createConverter();
afterAll(converter.close);
const signal = new AbortController().signal;
const extract = (content: Uint8Array | string, item: Partial<ExtractedFrom> = {}) =>
  extractDocument(
    typeof content === 'string' ? Buffer.from(content) : content,
    { path: 'a.md', ...item },
    { convert: converter.convert, signal },
  );

async function documentOf(content: Uint8Array | string, item: Partial<ExtractedFrom> = {}) {
  const extraction = await extract(content, item);
  if (extraction.kind !== 'document') throw new Error(extraction.reason);
  return { ...extraction.document, note: extraction.note };
}

describe('Markdown', () => {
  it('has front matter as metadata, and the line numbers of the file', async () => {
    const text =
      '---\ntitle: The Title\ntags: [a, b]\ndate: 2026-01-02\n__proto__: x\n---\n\n# Heading\n\ntext';
    expect(await documentOf(text, { metadata: { tags: ['c'] } })).toMatchObject({
      title: 'The Title',
      mimeType: 'text/markdown',
      text,
      metadata: { tags: ['c'], date: '2026-01-02' },
      note: null,
    });
  });

  it('supports front matter in TOML', async () => {
    const text = '+++\ntitle = "The Title"\ndate = 2026-01-02\n[extra]\ntags = ["a"]\n+++\n\n# Heading\n';
    expect(await documentOf(text)).toMatchObject({
      title: 'The Title',
      text,
      metadata: { date: '2026-01-02', extra: { tags: ['a'] } },
      note: null,
    });
    const broken = await documentOf('+++\ntitle = \n+++\n# Heading');
    expect(broken).toMatchObject({ title: 'Heading', note: expect.stringContaining('was ignored') });
  });

  it('is indexed without broken front matter, with a note', async () => {
    const { title, metadata, note } = await documentOf('---\nfoo: [1\n---\n# Heading');
    expect([title, metadata]).toEqual(['Heading', {}]);
    expect(note).toContain('its front matter was ignored');
  });

  it('may start with a horizontal rule', async () => {
    expect(await documentOf('---\n\nOnce upon a time\n\n---\n\nthe end')).toMatchObject({ note: null });
  });

  it.each([
    ['# [A](x) `b` **c** #\ntext', 'A b c'],
    ['Title\n=====\n', 'Title'],
    ['no heading', 'a.md'],
    ['<h1 align="center">\n  <img src="logo.svg">\n  My &amp; Tool\n</h1>\n\n## Install', 'My & Tool'],
    ['<p>x</p>\n\n# First\n\n<h1>Second</h1>', 'First'],
    ['# Tool [![build](https://x/b.svg)](https://x) ![npm](https://x/n.svg)', 'Tool'],
    ['# [![build][b]][c]\n\n# Tool', 'build'],
    ['# ![The logo](logo.svg)\n', 'The logo'],
    ['# snake_case and 2 * 3 * 4', 'snake_case and 2 * 3 * 4'],
  ])('%j has the title %s', async (text, title) => {
    expect(await documentOf(text)).toMatchObject({ title });
  });
});

describe('text', () => {
  it.each([
    ['UTF-8 with a mark', Buffer.from('\uFEFFgrün\r\nx\ry'), 'grün\nx\ny', null],
    ['UTF-16, low byte first', Buffer.from('\uFEFFgrün', 'utf16le'), 'grün', null],
    ['UTF-16, high byte first', Buffer.from('\uFEFFgrün', 'utf16le').swap16(), 'grün', null],
    [
      'Windows-1252',
      Buffer.from('gr\xfcn und \x80 in a longer text', 'latin1'),
      'grün und € in a longer text',
      'Windows-1252',
    ],
    [
      'short Latin-1 with many accents',
      Buffer.from('Caf\xe9 na\xefve \xe9lan', 'latin1'),
      'Café naïve élan',
      'Windows-1252',
    ],
    [
      'UTF-8 with broken places',
      Buffer.concat([Buffer.from('grün schön '), Buffer.from([0xff]), Buffer.from(' für and a longer text')]),
      'grün schön \uFFFD für and a longer text',
      'not valid UTF-8: 1 ',
    ],
  ])('is decoded from %s', async (_which, bytes, text, note) => {
    const document = await documentOf(bytes, { path: 'a.txt' });
    expect(document.text).toBe(text);
    expect(document.note ?? '').toContain(note ?? '');
    expect(document.note === null).toBe(note === null);
  });

  it.each([
    ['bytes', Uint8Array.from({ length: 400 }, (_, n) => (n * 7) % 256), 'is not text'],
    ['a Git LFS pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:1', 'is a Git LFS pointer'],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc', 'is a private key'],
    ['too much', new Uint8Array(SIZE_LIMITS.text + 1), 'is larger than 64 MiB (64 MiB)'],
  ])('is not extracted from %s', async (_which, content, reason) => {
    expect(await extract(content, { path: 'a.txt' })).toEqual({ kind: 'skipped', reason });
  });
});

describe('HTML', () => {
  it('becomes Markdown without navigation and scripts', async () => {
    const html = `<!doctype html><title>T &amp; U</title><meta name="description" content="D"><body><nav>menu</nav>
      <main><h1>Head</h1><p>One <em>two</em> <a href="/x">three</a></p><script>bad()</script>
      <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
      <pre><code class="language-js">let x;\nlet y;</code></pre><img src="data:x"></main><footer>foot</footer>`;
    expect(await documentOf(html, { path: 'x.html' })).toMatchObject({
      title: 'T & U',
      mimeType: 'text/markdown',
      metadata: { format: 'html', description: 'D' },
      text: '# Head\n\nOne *two* [three](/x)\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```js\nlet x;\nlet y;\n```\n',
    });
  });

  it('that is nested too deeply is refused', async () => {
    const deep = '<div>'.repeat(100_000);
    await expect(extract(`${deep}x`, { path: 'x.html' })).rejects.toThrow(
      'could not be read as HTML: its elements are nested too deeply',
    );
  });

  it('with hundreds of thousands of elements is refused', async () => {
    await expect(extract('<i>a</i>'.repeat(250_000), { path: 'x.html' })).rejects.toThrow(
      'could not be read as HTML: it has more than 200000 elements',
    );
  });
});

describe('PDF and DOCX', () => {
  it('keep their pages and headings', async () => {
    const pdf = await documentOf(pdfOf(['Hello page one', 'And page two']), { path: 'a.pdf' });
    expect(pdf).toMatchObject({
      title: 'a.pdf',
      metadata: { format: 'pdf' },
      text: '## Page 1\n\nHello page one\n\n## Page 2\n\nAnd page two\n',
    });
    const docx = await documentOf(
      docxOf([
        ['Heading1', 'The plan'],
        [null, 'Some words.'],
      ]),
      { path: 'a.docx' },
    );
    expect(docx).toMatchObject({
      title: 'The plan',
      text: '# The plan\n\nSome words.\n',
      metadata: { format: 'docx' },
    });
  });

  it.each([
    ['a.pdf', Buffer.from('%PDF-1.7\ngarbage')],
    ['a.pdf', Buffer.alloc(0)],
    ['a.pdf', pdfOf(['x']).subarray(0, 60)],
    ['a.docx', Buffer.from('PK\u0003\u0004 not a zip')],
    ['a.docx', docxOf([[null, 'x']]).subarray(0, 80)],
  ])('report the cause if they are broken (%s)', async (path, bytes) => {
    await expect(extract(bytes, { path })).rejects.toThrow(/^could not be read as (PDF|DOCX): \S/);
  });

  it('report password protection', async () => {
    const locked = [
      '1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n',
      '2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n',
      `3 0 obj\n<</Filter/Standard/V 1/R 2/O<${'28'.repeat(32)}>/U<${'11'.repeat(32)}>/P -4>>\nendobj\n`,
      'trailer<</Size 4/Root 1 0 R/Encrypt 3 0 R/ID[<00><00>]>>\n%%EOF',
    ];
    await expect(extract(Buffer.from(`%PDF-1.4\n${locked.join('')}`), { path: 'a.pdf' })).rejects.toThrow(
      'is a password-protected PDF',
    );
  });

  // test/hostile/hostile-sources.test.ts has a PDF that needs too much memory.
  it('are refused if they unpack to too much, whatever size they claim', async () => {
    const before = process.memoryUsage.rss();
    await expect(extract(docxBomb(300), { path: 'a.docx' })).rejects.toThrow(
      'could not be read as DOCX: it unpacks to more than 256 MiB',
    );
    expect(await documentOf(pdfOf(['still fine']), { path: 'b.pdf' })).toMatchObject({ title: 'b.pdf' });
    expect((process.memoryUsage.rss() - before) / 1024 ** 2).toBeLessThan(1_500);
  });
});
