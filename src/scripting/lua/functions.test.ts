import { afterAll, describe, expect, it } from 'vitest';
import { symlink } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { scriptCall, scriptFile } from '../../../test/scripts/script-file.ts';
import { type TempFolder, tempFolder } from '../../../test/temp-folder.ts';
import { createSandbox } from '../create-sandbox.ts';
import type { Json, ScriptGrants, ScriptLog } from '../sandbox.ts';

const sandbox = createSandbox({ threads: 1 });
afterAll(() => sandbox.close());

async function evaluate(
  folder: TempFolder,
  body: string,
  more: { grants?: Partial<ScriptGrants>; onLog?: (log: ScriptLog) => void } = {},
): Promise<Json> {
  await folder.write('scripts/a.lua', `agent = {}\nfunction agent.resolve()\n${body}\nend`);
  const { grants = {}, onLog = () => undefined } = more;
  const file = scriptFile(`${folder.path}/scripts/a.lua`, { grants });
  return (await sandbox.call(file, scriptCall({ args: [], onLog }))).value;
}

describe('the functions of the hub', () => {
  it.each<[string, Json]>([
    ['base64.encode("a\\0\\xff")', 'YQD/'],
    ['#base64.decode("YQD/")', 3],
    ['base64.decode("aGk=")', 'hi'],
    ['crypto.sha256("abc")', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'crypto.hmac_sha256("key", "The quick brown fox jumps over the lazy dog")',
      'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
    ],
    ['#crypto.uuid()', 36],
    ['time.format(0)', '1970-01-01T00:00:00.000Z'],
    ['time.format(1700000000, "%Y-%m-%d %H:%M:%S %a %b 100%%")', '2023-11-14 22:13:20 Tue Nov 100%'],
    ['math.abs(time.now() - 1700000000) > 0', true],
    ['math.type(time.now())', 'float'],
    ['env.get("HOME") == nil', true],
    ['require == nil', false],
    ['collectgarbage("count") > 0', true],
  ])('%s', async (lua, value) => {
    await using folder = await tempFolder();
    expect(await evaluate(folder, `return ${lua}`)).toEqual(value);
  });

  it('sleep for the given time', async () => {
    await using folder = await tempFolder();
    const waited = await evaluate(folder, 'local t = time.now() sleep(0.05) return time.now() - t');
    expect(waited).toBeGreaterThanOrEqual(0.049);
  });
});

describe('the log of a script', () => {
  it('arrives with its level, unchanged', async () => {
    await using folder = await tempFolder();
    const logs: ScriptLog[] = [];
    await evaluate(
      folder,
      'log.info("a", 1, nil, { b = { 2 } }) log.warn("w") log.debug("d") print("p", true) log.error("bad \\xff byte")',
      { onLog: (log) => logs.push(log) },
    );
    expect(logs.map(({ level, message }) => [level, message])).toEqual([
      ['info', 'a 1 nil {"b":[2]}'],
      ['warn', 'w'],
      ['debug', 'd'],
      ['info', 'p true'],
      ['error', 'bad \uFFFD byte'],
    ]);
  });

  it('never contains secrets, and neither do its errors', async () => {
    await using folder = await tempFolder();
    const logs: ScriptLog[] = [];
    const grants = { env: { TOKEN: 'hunter2-hunter2' }, secrets: ['from-the-config'] };
    const failing = evaluate(
      folder,
      'log.info(env.get("TOKEN"), "from-the-config") error("with " .. env.get("TOKEN"))',
      {
        grants,
        onLog: (log) => logs.push(log),
      },
    );
    await expect(failing).rejects.toThrow('a.lua:3: with [redacted]');
    expect(logs[0]?.message).toBe('[redacted] [redacted]');
  });

  it('reads only the variables that it was granted', async () => {
    await using folder = await tempFolder();
    const body = 'return { env.get("GRANTED"), env.get("PATH") or "none", env.get("__proto__") or "none" }';
    expect(await evaluate(folder, body, { grants: { env: { GRANTED: 'yes' } } })).toEqual([
      'yes',
      'none',
      'none',
    ]);
  });
});

describe('the folder of a script', () => {
  const files = {
    'outside.txt': 'secret',
    'outside.lua': 'return "secret"',
    'scripts/text.txt': 'hello',
    'scripts/.hidden': 'secret',
    'scripts/lib/names.lua': 'return { first = "Ada", from = ... }',
    'scripts/lib/init.lua': 'return "whole lib"',
    'scripts/counter.lua': 'count = (count or 0) + 1 return count',
    'scripts/broken.lua': 'return {',
    'scripts/failing.lua': 'local x = nil\nreturn x.y',
    'scripts/loop-a.lua': 'return require("loop-b")',
    'scripts/loop-b.lua': 'return require("loop-a")',
  };

  it('can be read and listed', async () => {
    await using folder = await tempFolder(files);
    expect(await evaluate(folder, 'return { fs.read("text.txt"), fs.read("lib/init.lua") }')).toEqual([
      'hello',
      'return "whole lib"',
    ]);
    expect(await evaluate(folder, 'return fs.list()')).toContain('lib/');
    expect(await evaluate(folder, 'return fs.list("lib")')).toEqual(['init.lua', 'names.lua']);
  });

  it('provides modules, each loaded once', async () => {
    await using folder = await tempFolder(files);
    const body =
      'return { require("lib.names").first, require("lib.names").from, require("lib"), require("counter"), require("counter") }';
    expect(await evaluate(folder, body)).toEqual(['Ada', 'lib.names', 'whole lib', 1, 1]);
  });

  it.each([
    ['require("os")', "a.lua:3: module 'os' not found"],
    ['require("../outside")', "'../outside' is not a module"],
    ['require("..outside")', 'is not a module'],
    ['require("/etc/passwd")', 'is not a module'],
    ['require("broken")', 'broken.lua:1: unexpected symbol'],
    ['require("failing")', "failing.lua:2: attempt to index a nil value (local 'x')"],
    ['require("loop-a")', "module 'loop-a' requires itself"],
    ['require("linked")', 'outside of the script'],
    ['fs.read("../outside.txt")', "file '../outside.txt' is outside of the script's folder"],
    ['fs.read("/etc/passwd")', 'outside'],
    ['fs.read("lib/../../outside.txt")', 'outside'],
    ['fs.read(".hidden")', 'outside'],
    ['fs.read("linked.lua")', 'outside'],
    ['fs.read("linked-folder/outside.txt")', 'outside'],
    ['fs.read("text.txt\\0")', 'outside'],
    ['fs.read("lib")', "'lib' is not a file"],
    ['fs.read("pipe")', "'pipe' is not a file"],
    ['fs.read("missing")', "file 'missing' not found"],
    ['fs.list("..")', 'outside'],
    ['fs.list("text.txt")', 'is not a folder'],
  ])('does not provide %s', async (lua, message) => {
    await using folder = await tempFolder(files);
    await symlink('../outside.lua', `${folder.path}/scripts/linked.lua`);
    await symlink('..', `${folder.path}/scripts/linked-folder`);
    execFileSync('mkfifo', [`${folder.path}/scripts/pipe`]);
    await expect(evaluate(folder, `local value = ${lua} return value`)).rejects.toThrow(message);
  });

  it('is that of the link if the script is one', async () => {
    await using folder = await tempFolder({
      'elsewhere/real.lua': '#!/usr/bin/env lua\nreturn { resolve = function() return require("lib") end }',
      'elsewhere/lib.lua': 'return "elsewhere"',
      'scripts/lib.lua': '\uFEFFreturn "beside the link"',
    });
    await symlink('../elsewhere/real.lua', `${folder.path}/scripts/a.lua`);
    const file = scriptFile(`${folder.path}/scripts/a.lua`);
    expect((await sandbox.call(file, scriptCall())).value).toBe('beside the link');
  });

  it('excludes subfolders if the script is directly in the trusted folder', async () => {
    await using folder = await tempFolder({
      'a.lua':
        'return { resolve = function() return require("beside") end, deep = pcall(require, "lib.deep") }',
      'beside.lua': 'return "beside"',
      'lib/deep.lua': 'return "deep"',
    });
    const file = scriptFile(`${folder.path}/a.lua`, { root: folder.path });
    expect((await sandbox.call(file, scriptCall())).value).toBe('beside');
    expect((await sandbox.describe(file)).table).toEqual({ deep: false });
  });
});
