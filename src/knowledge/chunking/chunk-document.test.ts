import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadPassingTokenCounter } from '../../platform/text/token-count.ts';
import type { Chunk } from '../document.ts';
import { chunkDocument } from './chunk-document.ts';

const count = await loadPassingTokenCounter();

const mimeTypes: Record<string, string> = { md: 'text/markdown' };

function chunk(text: string, path = 'a.md', maxTokens = 60, overlapTokens = 0): Promise<Chunk[]> {
  const mimeType = mimeTypes[path.split('.').at(-1) ?? ''] ?? 'text/plain';
  return chunkDocument({ text, mimeType }, path, { maxTokens, overlapTokens }, count);
}

const words = (n: number, word = 'word') =>
  Array.from({ length: n }, (_, at) => `${word}${at % 10}`).join(' ');

/** Checks the guarantees of `chunkDocument`. */
function expectSound(text: string, chunks: readonly Chunk[], maxTokens: number): void {
  const lines = text.split('\n');
  const covered = lines.map(() => '');
  let earlier = 1;
  for (const { body, tokens, lineStart, lineEnd } of chunks) {
    expect(lineStart).toBeGreaterThanOrEqual(earlier - lines.length);
    const own = body.split('\n');
    expect(own.length).toBe(lineEnd - lineStart + 1);
    for (const [at, line] of own.entries()) {
      const whole = lines[lineStart - 1 + at] ?? '';
      // The first and last line of a chunk may be partial; the lines between are whole.
      const inside = at > 0 && at < own.length - 1;
      expect([line, inside ? line === whole : whole.includes(line)]).toEqual([line, true]);
      covered[lineStart - 1 + at] += line;
    }
    expect(tokens).toBeLessThanOrEqual(maxTokens);
    // The text is counted in parts, which can add a token at each boundary.
    expect(count(body)).toBeLessThanOrEqual(tokens + 2);
    earlier = lineStart;
  }
  for (const [at, line] of lines.entries()) {
    const bare = (each: string) => each.replace(/\s/g, '').length;
    expect([at, bare(covered[at] ?? '') >= bare(line)]).toEqual([at, true]);
  }
}

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  { weight: 6, arbitrary: fc.lorem({ maxCount: 12 }) },
  fc.constantFrom(
    '# One',
    '## Two',
    '### Three',
    'Under\n===',
    '---',
    '```',
    '```ts',
    '~~~',
    '> said',
    '<div>',
  ),
  fc.constantFrom(
    '- item',
    '  - nested',
    '1. first',
    '| a | b |\n|---|---|',
    '| 1 | 2 |',
    '    code',
    '\t',
    '',
  ),
  fc.constantFrom('', '', '', 'function f() {', '}', 'class A {', 'def f():', '  return 1', '/* c */', '# c'),
  fc.nat({ max: 400 }).map((n) => 'x'.repeat(n)),
  fc.nat({ max: 60 }).map((n) => '語'.repeat(n)),
);
const anyText = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('\n'));

describe('every document', () => {
  it.each(['a.md', 'a.txt', 'a.ts', 'a.py', 'a.rb', 'a.go', 'a.cpp', 'a.java', 'a.rs', 'a.php'])(
    'is covered line by line by chunks that fit, as %s',
    async (path) => {
      await fc.assert(
        fc.asyncProperty(
          anyText,
          fc.constantFrom(16, 40, 200),
          fc.constantFrom(0, 4, 10),
          async (text, max, overlap) => {
            const chunks = await chunk(text, path, max, overlap);
            expectSound(text, chunks, max);
            expect(await chunk(text, path, max, overlap)).toEqual(chunks);
          },
        ),
        { numRuns: 60 },
      );
    },
    60_000,
  );
});

it('is split so that no chunk exceeds the token limit', async () => {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  for (const name of files) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const { body } of await chunk(text, name, 32, 8)) {
      expect([name, body, count(body) <= 32]).toEqual([name, body, true]);
    }
  }
});

it('limits the overlap to half of a chunk', async () => {
  const text = Array.from({ length: 60 }, (_, at) => `Sentence number ${at} is here.`).join(' ');
  const half = await chunk(text, 'a.txt', 40, 20);
  expect(await chunk(text, 'a.txt', 40, 400)).toEqual(half);
});

describe('Markdown', () => {
  it('is split at headings, and each chunk has the headings above it', async () => {
    const text = `intro\n\n# Guide\n\nhello\n\n## Install **now**\n\nstep\n\n### On [Linux](x)\n\n${words(20)}\n\n# Next\n\nbye`;
    const chunks = await chunk(text);
    expect(chunks.map(({ headings, lineStart, lineEnd }) => [headings, lineStart, lineEnd])).toEqual([
      [[], 1, 1],
      [['Guide'], 3, 5],
      [['Guide', 'Install now'], 7, 9],
      [['Guide', 'Install now', 'On Linux'], 11, 13],
      [['Next'], 15, 17],
    ]);
  });

  it('joins a heading without text to the next section', async () => {
    const chunks = await chunk(
      '---\ntitle: T\n---\n\n# Guide\n\n## Install\n\ntext\n\n## Empty\n\n## Last\nend',
    );
    expect(chunks.map(({ headings, body }) => [headings, body])).toEqual([
      [['Guide', 'Install'], '---\ntitle: T\n---\n\n# Guide\n\n## Install\n\ntext'],
      [['Guide', 'Empty'], '## Empty'],
      [['Guide', 'Last'], '## Last\nend'],
    ]);
  });

  it.each([
    ['a fence', ['```js', 'a();', '', '# no heading', 'b();', '```']],
    ['a list', ['- one', '  more', '', '- two', '- three']],
    ['a table', ['| a | b |', '|---|---|', '| 1 | 2 |', '| 3 | 4 |']],
  ])('keeps %s whole if it fits', async (_what, lines) => {
    for (const before of [2, 8, 14, 20, 26]) {
      const text = `# T\n\n${words(before)}\n\n${lines.join('\n')}\n\n${words(26)}`;
      const holders = (await chunk(text)).filter(({ body }) =>
        lines.some((line) => line && body.includes(line)),
      );
      expect(holders).toHaveLength(1);
      expect(holders[0]?.body).toContain(lines.join('\n'));
    }
  });

  it('splits a long fence between lines, preferably blank ones', async () => {
    const part = (name: string) => Array.from({ length: 8 }, (_, at) => `  ${name}(${at});`).join('\n');
    const text = `\`\`\`\n${part('first')}\n\n${part('second')}\n\`\`\``;
    const [first, second] = await chunk(text);
    expect(first?.body).toBe(`\`\`\`\n${part('first')}`);
    expect(second?.body).toBe(`${part('second')}\n\`\`\``);
    expect(second?.lineStart).toBe(11);
  });

  it('splits a long list between items', async () => {
    const items = Array.from({ length: 12 }, (_, at) => `- item ${at} ${words(8)}\n  and more`);
    for (const { body } of await chunk(items.join('\n'))) expect(body).toMatch(/^- item[^]*and more$/);
  });

  it('overlaps chunks within a section only', async () => {
    const paragraphs = Array.from(
      { length: 6 },
      (_, at) => `Paragraph ${at} says this. Then it says number ${at}.\nIt ends ${at}.`,
    );
    const chunks = await chunk(`${paragraphs.join('\n\n')}\n\n# Other\n\nshort`, 'a.md', 60, 12);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks[1]?.body).toMatch(/^It ends \d\.\n\nParagraph/);
    expect(chunks.at(-1)?.body).toBe('# Other\n\nshort');
  });

  it('splits at the same places below a change', async () => {
    const paragraphs = Array.from(
      { length: 200 },
      (_, at) => `Paragraph ${at}: ${words(5 + ((at * 7) % 11))}.`,
    );
    const before = new Set((await chunk(paragraphs.join('\n\n'))).map(({ body }) => body));
    paragraphs.splice(20, 1, 'Something else altogether.', 'And one more.');
    const after = await chunk(paragraphs.join('\n\n'));
    const fresh = after.filter(({ body }) => !before.has(body));
    expect(fresh.length).toBeLessThanOrEqual(6);
  });
});

describe('code', () => {
  const method = (name: string) =>
    `  /** Does ${name}. */\n  ${name}() {\n    return '${words(12, name)}';\n  }\n`;

  it('is split at top-level declarations, with the comments above them', async () => {
    const text = [
      "import { a } from 'a';",
      '',
      `// Does one.\nexport function one() {\n  return '${words(12)}';\n}`,
      '',
      `/** Does two. */\nexport const two = () => {\n  return '${words(12)}';\n};`,
      '',
    ].join('\n');
    const chunks = await chunk(text, 'a.ts');
    expect(chunks.map(({ headings, body }) => [headings, body.split('\n')[0]])).toEqual([
      [[], "import { a } from 'a';"],
      [['one'], '// Does one.'],
      [['two'], '/** Does two. */'],
    ]);
  });

  it('splits a long class at its members, with the class name as heading', async () => {
    const text = `export class Store {\n${['alpha', 'beta', 'gamma'].map(method).join('\n')}}\n`;
    const chunks = await chunk(text, 'a.ts', 80);
    expect(chunks.map(({ headings }) => headings)).toEqual([
      ['Store', 'alpha'],
      ['Store', 'beta'],
      ['Store', 'gamma'],
    ]);
  });

  it.each([
    ['a.py', `def one():\n    return "${words(14)}"\n\n\n@cached\ndef two():\n    return "${words(14)}"\n`],
    [
      'a.go',
      `func one() string {\n\treturn "${words(14)}"\n}\n\nfunc (s *S) two() string {\n\treturn "${words(14)}"\n}\n`,
    ],
    [
      'a.rs',
      `pub fn one() -> &str {\n    "${words(14)}"\n}\n\npub fn two() -> &str {\n    "${words(14)}"\n}\n`,
    ],
    ['a.cpp', `int one() {\n  return f("${words(14)}");\n}\n\nint two() {\n  return f("${words(14)}");\n}\n`],
    [
      'a.php',
      `<?php\nfunction one() {\n  return "${words(14)}";\n}\n\nfunction two() {\n  return "${words(14)}";\n}\n`,
    ],
    [
      'a.c',
      `static const char *one(struct two *x) {\n  static int n; return f("${words(14)}");\n}\n\nstruct s *two(void)\n{\n  const int m = f("${words(14)}");\n}\n`,
    ],
    [
      'a.sh',
      `# Calls three() first.\none() {\n  echo ${words(18)}\n}\n\nfunction two {\n  echo ${words(18)}\n}\n`,
    ],
    ['a.rb', `def one\n  "${words(14)}"\nend\n\ndef two\n  "${words(14)}"\nend\n`],
  ])('finds the declarations of %s', async (path, text) => {
    const chunks = await chunk(text, path);
    expect(chunks.map(({ headings }) => headings)).toEqual([['one'], ['two']]);
  });
});

it('does not name statements after the code that follows them', async () => {
  const text = `#!/bin/sh\nset -e\n\nrun() {\n  echo ${words(24)}\n}\n`;
  expect((await chunk(text, 'a.sh')).map(({ headings }) => headings)).toEqual([[], ['run']]);
});

it('splits a long line at sentences, then words, then anywhere', async () => {
  const sentences = Array.from({ length: 20 }, (_, at) => `This is the sentence number ${at}.`).join(' ');
  for (const { body } of await chunk(sentences, 'a.txt')) expect(body).toMatch(/^This.*\.$/s);
  for (const { body } of await chunk(words(200), 'a.txt')) expect(body.trim()).toMatch(/^word\d.*word\d$/s);
  const glyphs = '👍'.repeat(500);
  expect((await chunk(glyphs, 'a.txt')).map(({ body }) => body).join('')).toBe(glyphs);
});

it('splits a line of 2 MB and half a million lines quickly', async () => {
  const line = `${'abcdefghij'.repeat(100)}${words(50)}`.repeat(1_500);
  expect((await chunk(line, 'a.txt', 700, 80)).length).toBeGreaterThan(500);
  const lines = Array.from({ length: 500_000 }, (_, at) => `${at}`).join('\n');
  const chunks = await chunk(lines, 'a.log', 700, 80);
  expect(chunks.at(-1)?.lineEnd).toBe(500_000);
});
