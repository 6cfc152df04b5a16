import { deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { stringify } from 'smol-toml';
import { docxOf, pdfOf } from '../knowledge/office-files.ts';
import { TROUBLE } from './from-schema.ts';

export type Files = Record<string, string | Uint8Array>;

const name = fc.constantFrom(
  'helper',
  'a',
  'x-y',
  'Ünïcode',
  '__proto__',
  'team',
  'new',
  'a b',
  '..',
  'x'.repeat(200),
);
const text = fc.oneof(
  fc.constantFrom(...TROUBLE),
  fc.string({ maxLength: 30 }),
  fc.constantFrom('docs', '.', 'a.lua'),
);
/** No table of a TOML file may hold null. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.boolean(),
  fc.integer({ min: -10, max: 100_000 }),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(name, text, { maxKeys: 2 }),
);
const tableOf = (...keys: string[]) =>
  fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] });

/** The sections that a config has, with values of every kind. No addresses: nothing here may leave the machine. */
const config = fc.record(
  {
    agents: fc.oneof(
      value,
      fc.record({
        helper: tableOf(
          'system_prompt',
          'description',
          'tools',
          'arguments',
          'context',
          'knowledge',
          'model',
          'mode',
        ),
        script: fc.record({
          lua: fc.constant({ path: 'agents/a.lua' }),
          other: tableOf('path', 'timeout', 'memory_mb'),
        }),
      }),
    ),
    connectors: fc.record({
      filesystem: fc.record({
        docs: fc.constant({ root: 'docs' }),
        other: tableOf('root', 'include', 'exclude'),
      }),
      git: fc.record({ code: fc.constant({ url: 'repository' }) }),
    }),
    tools: tableOf('groups', 'search_above', 'script', 'pin'),
    embedding: tableOf('provider', 'dimensions'),
    chunking: tableOf('max_tokens', 'overlap_tokens'),
    server: tableOf('port', 'host'),
    nonsense: value,
  },
  { requiredKeys: [] },
);

const toml = config.map((each) => stringify(each));
const frontMatter = fc
  .dictionary(
    fc.constantFrom('name', 'description', 'tools', 'arguments', 'model', 'x'),
    fc.oneof(text, fc.jsonValue()),
    {
      maxKeys: 5,
    },
  )
  .map((fields) =>
    Object.entries(fields)
      .map(([key, each]) => `${key}: ${JSON.stringify(each)}`)
      .join('\n'),
  );
const markdown = fc.tuple(frontMatter, text).map(([fields, body]) => `---\n${fields}\n---\n${body}\n`);

/** A Lua expression. */
const lua: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      'nil',
      'true',
      '0/0',
      '1/0',
      '-0.0',
      '2^63',
      'print',
      'coroutine.create(print)',
      'setmetatable({}, {})',
    ),
    fc.string({ maxLength: 10 }).map((each) => JSON.stringify(each).replaceAll(/\\u(\w{4})/g, '\\u{$1}')),
    fc.array(tie('value'), { maxLength: 3 }).map((each) => `{ ${each.join(', ')} }`),
    fc.tuple(tie('value'), tie('value')).map(([key, each]) => `{ system = ${key}, messages = ${each} }`),
    tie('value').map((each) => `(function() local t = { ${each} }; t.t = t; return t end)()`),
  ),
})).value;
const script = fc
  .tuple(lua, lua)
  .map(
    ([answer, tools]) =>
      `return { description = "Fuzz", tools = ${tools}, resolve = function() return ${answer} end }\n`,
  );

/** Bytes with some of them changed, missing or doubled. */
function damaged(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
  return fc
    .array(fc.tuple(fc.nat({ max: bytes.length }), fc.uint8Array({ maxLength: 8 })), { maxLength: 6 })
    .map((edits) =>
      edits.reduce<Uint8Array>(
        (whole, [at, more]) =>
          Buffer.concat([whole.subarray(0, at), more, whole.subarray(at + (more.length % 3))]),
        bytes,
      ),
    );
}
const brokenText = (whole: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 3, arbitrary: whole.map((each) => Buffer.from(each)) },
    whole.chain((each) => damaged(Buffer.from(each))),
  );

const html = fc.array(
  fc.constantFrom(
    '<p>',
    '</p>',
    '<table>',
    '<td',
    '<!--',
    '<script>',
    'note',
    '&#xFFFFFF;',
    '<a href="//x">',
  ),
  {
    maxLength: 60,
  },
);

/** A bare repository with one commit, its parts damaged. */
const object = (kind: string, body: string): Uint8Array =>
  deflateSync(Buffer.from(`${kind} ${body.length}\0${body}`));
const repository = fc.record({
  'repository/HEAD': brokenText(fc.constantFrom('ref: refs/heads/main\n', 'ref: ../../x\n')),
  'repository/config': brokenText(
    fc.constantFrom('[core]\n\tbare = true\n', '[core]\n\tfsmonitor = touch pwned\n'),
  ),
  'repository/refs/heads/main': brokenText(fc.constant(`${'ab'.repeat(20)}\n`)),
  [`repository/objects/ab/${'ab'.repeat(19)}`]: damaged(object('commit', `tree ${'cd'.repeat(20)}\n\nm\n`)),
  'repository/packed-refs': brokenText(fc.constant(`${'ab'.repeat(20)} refs/heads/main\n`)),
});

const parts = fc.record({
  'zoo.toml': brokenText(toml),
  'agents/one.md': brokenText(markdown),
  'agents/a.lua': brokenText(script),
  'docs/note.md': brokenText(fc.array(text).map((each) => `# Note\n\n${each.join('\n')}`)),
  'docs/page.html': brokenText(html.map((each) => each.join(''))),
  'docs/data.json': brokenText(fc.json({ maxDepth: 4 })),
  'docs/paper.pdf': damaged(pdfOf(['Note'])),
  'docs/letter.docx': damaged(docxOf([['Heading1', 'Note']])),
  'docs/.gitignore': brokenText(text),
});

/** A workspace with files of every kind that the hub reads, each as it should be or damaged. */
export const workspaceFiles: fc.Arbitrary<Files> = fc
  .tuple(parts, repository)
  .map(([one, other]) => ({ ...one, ...other }));
