import { afterAll, expect, it } from 'vitest';
import { ZooError } from '../../contract/errors.ts';
import { scriptCall, scriptFile } from '../../../test/scripts/script-file.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createSandbox } from '../create-sandbox.ts';
import type { Json } from '../sandbox.ts';

const sandbox = createSandbox({ threads: 1 });
afterAll(() => sandbox.close());

/** The result of a `resolve(...)` with this body. */
async function evaluate(body: string, args: Json[] = []): Promise<Json> {
  await using folder = await tempFolder({
    'a/a.lua': `agent = {}\nfunction agent.resolve(...)\n${body}\nend\nreturn agent`,
  });
  return (await sandbox.call(scriptFile(`${folder.path}/a/a.lua`), scriptCall({ args }))).value;
}

const problemOf = async (body: string) => {
  try {
    return `no problem: ${JSON.stringify(await evaluate(body))}`;
  } catch (error) {
    return error instanceof ZooError ? error.message : String(error);
  }
};

it.each<[string, Json]>([
  ['a text with emoji and zero bytes', 'grüße 🦎\0 end'],
  ['numbers', [0, -1, 1.5, 2 ** 53 - 1, -(2 ** 53 - 1), 1e300, 0.1]],
  ['nothing', null],
  ['nested lists and objects', { a: [{ b: [[1], []] }], c: {}, d: true }],
  ['an empty list', []],
  ['an empty object', {}],
  ['a list with nothing in it', [1, null, 3, null]],
  [
    'keys that mean something to JavaScript',
    JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "toString": 2}'),
  ],
  ['a long text', 'x'.repeat(300_000)],
  ['many items', Array.from({ length: 5_000 }, (_, index) => ({ index, text: `item ${index}` }))],
])('converts %s to Lua and back without changes', async (_name, value) => {
  expect(await evaluate('return (...)', [value])).toEqual(value);
});

it('omits null fields, so that `or` works on them', async () => {
  expect(await evaluate('local doc = ... return doc.title or "Untitled"', [{ title: null }])).toBe(
    'Untitled',
  );
});

it('distinguishes integers from fractions', async () => {
  expect(
    await evaluate('local n = ... return string.format("%d %.2f %s", n.a, n.b, n.a)', [{ a: 3, b: 0.5 }]),
  ).toBe('3 0.50 3');
});

it.each([
  ['{}', '[]'],
  ['json.object()', '{}'],
  ['json.array()', '[]'],
  ['json.object({ a = json.array() })', '{"a":[]}'],
  ['{ a = json.null, b = nil }', '{"a":null}'],
  ['{ 1, json.null, 3 }', '[1,null,3]'],
  ['json.parse("{\\"a\\":{},\\"b\\":[]}")', '{"a":{},"b":[]}'],
  ['"a\\u{1F98E}"', '"a🦎"'],
  ['1e15', '1000000000000000'],
])('writes %s as %s', async (lua, text) => {
  expect(await evaluate(`return json.encode(${lua})`)).toBe(text);
  expect(JSON.stringify(await evaluate(`return ${lua}`))).toBe(text);
});

it.each([
  [
    'return { messages = { { role = "user", content = print } } }',
    'its result.messages[1].content is a function',
  ],
  ['local t = {} t.self = { t } return t', 'its result.self[1] contains itself'],
  ['return { 1, 2, x = 3 }', 'its result has both list items and named fields'],
  ['return { [1] = 1, [3] = 3 }', 'its result is a list with gaps: it has [3], but not [2]'],
  ['return { [1.5] = 1 }', 'its result has a number as a key'],
  ['return { [true] = 1 }', 'its result has a boolean as a key'],
  ['return 0/0', 'its result is not a number'],
  ['return { a = 1/0 }', 'its result.a is infinite'],
  ['return math.maxinteger', 'its result is too large for a JSON number: use a string'],
  ['return { a = "\\xff" }', 'its result.a is not valid UTF-8'],
  ['return { ["\\xff"] = 1 }', 'a key of its result is not valid UTF-8'],
  ['return coroutine.create(print)', 'its result is a coroutine'],
  ['local t = {} for i = 1, 100 do t = { t } end return t', 'is nested more than 64 levels deep'],
  [
    'return json.parse("[" .. string.rep("[", 100) .. string.rep("]", 100) .. "]")',
    'nested more than 64 levels deep',
  ],
  ['return json.parse("{")', 'a.lua:3: json.parse: '],
])('explains what is wrong with %s', async (body, message) => {
  expect(await problemOf(body)).toContain(message);
});

it('limits values with many shared parts', async () => {
  const body = `local t = string.rep("x", 1000) for i = 1, 40 do t = { t, t } end return t`;
  expect(await problemOf(body)).toContain('exceeds the limit');
  expect(await problemOf(body.replace('return t', 'return json.encode(t)'))).toContain('too large');
});
