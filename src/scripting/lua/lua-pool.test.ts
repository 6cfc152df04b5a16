import { afterEach, expect, it, vi } from 'vitest';
import { emptyHost, scriptCall, scriptFile } from '../../../test/scripts/script-file.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { type SandboxOptions, createSandbox } from '../create-sandbox.ts';
import type { Sandbox, ScriptHost } from '../sandbox.ts';

let sandbox: Sandbox | null = null;
afterEach(async () => {
  await sandbox?.close();
});
function open(options: SandboxOptions = {}): Sandbox {
  sandbox = createSandbox(options);
  return sandbox;
}

const echo = `return { resolve = function(args, context)
  local found = context.search(args.query)
  local again = context.search(args.query .. " again")
  return { args.query, found[1].title, again[1].title }
end }`;
const echoHost: ScriptHost = {
  ...emptyHost,
  search: async ({ query }) => {
    await new Promise((resolve) => setTimeout(resolve, query.length % 3));
    return [{ title: `about ${query}` }] as Awaited<ReturnType<ScriptHost['search']>>;
  },
};

it('runs 500 concurrent calls without mixing up their results', async () => {
  await using folder = await tempFolder({ 'a/echo.lua': echo });
  const { call } = open();
  const file = scriptFile(`${folder.path}/a/echo.lua`);
  const asked = Array.from({ length: 500 }, (_, n) => `question ${n}`);
  const answers = await Promise.all(
    asked.map((query) => call(file, scriptCall({ args: [{ query }], host: echoHost }))),
  );
  expect(answers.map(({ value }) => value)).toEqual(
    asked.map((query) => [query, `about ${query}`, `about ${query} again`]),
  );
});

it('does not leak memory over many calls', async () => {
  await using folder = await tempFolder({
    'a/a.lua':
      'kept = kept or {} return { resolve = function(args) for i = 1, 200 do kept[#kept + 1] = ("x"):rep(i) end return #kept end }',
  });
  const { call } = open({ threads: 1 });
  const file = scriptFile(`${folder.path}/a/a.lua`);
  const some = async (count: number) => {
    for (let n = 0; n < count; n += 50) {
      const values = await Promise.all(Array.from({ length: 50 }, () => call(file, scriptCall())));
      expect(values.every(({ value }) => value === 200)).toBe(true);
    }
    return process.memoryUsage().rss;
  };
  const sizes = [await some(1_000)];
  // A leak would take 28 MB per thousand calls, in every round; garbage is collected in some.
  for (let round = 0; round < 3; round += 1) sizes.push(await some(1_000));
  const growth = sizes.slice(1).map((size, at) => size - (sizes[at] ?? 0));
  expect(Math.min(...growth)).toBeLessThan(14 * 1024 * 1024);
});

it('cancels a running or queued call when its caller disconnects', async () => {
  await using folder = await tempFolder({
    'a/loop.lua': 'return { resolve = function() while true do end end }',
  });
  const { call } = open({ threads: 1 });
  const file = scriptFile(`${folder.path}/a/loop.lua`);
  const [running, waiting] = [new AbortController(), new AbortController()];
  const first = call(file, scriptCall({ signal: running.signal }));
  const second = call(file, scriptCall({ signal: waiting.signal }));
  waiting.abort(new Error('changed my mind'));
  await expect(second).rejects.toThrow('changed my mind');
  running.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await expect(call(file, scriptCall({ signal: running.signal }))).rejects.toThrow('gone');
});

it('cancels host calls that are no longer needed', async () => {
  await using folder = await tempFolder({ 'a/echo.lua': echo });
  const { call } = open({ threads: 1 });
  let [asked, aborted] = [0, 0];
  const host: ScriptHost = {
    ...emptyHost,
    search: (_query, signal) =>
      new Promise(() => {
        asked += 1;
        signal.addEventListener('abort', () => (aborted += 1));
      }),
  };
  const file = scriptFile(`${folder.path}/a/echo.lua`, { limits: { timeoutMs: 100 } });
  // On a busy machine the script may time out before it searches.
  await expect
    .poll(async () => {
      await expect(call(file, scriptCall({ args: [{ query: 'x' }], host }))).rejects.toMatchObject({
        code: 'timeout',
        message: 'echo.lua timed out after 0.1 s',
      });
      return asked;
    })
    .toBeGreaterThan(0);
  expect(aborted).toBe(asked);
});

it('lets quick calls overtake waiting ones', async () => {
  await using folder = await tempFolder({
    'a/slow.lua': 'return { resolve = function() sleep(60) end }',
    'a/quick.lua': 'return { resolve = function() return "quick" end }',
  });
  const { call } = open({ threads: 2 });
  const slow = new AbortController();
  const waiting = Array.from({ length: 3 }, () =>
    call(scriptFile(`${folder.path}/a/slow.lua`), scriptCall({ signal: slow.signal })).catch(() => 'ended'),
  );
  const { value } = await call(scriptFile(`${folder.path}/a/quick.lua`), scriptCall());
  expect(value).toBe('quick');
  slow.abort();
  expect(await Promise.all(waiting)).toEqual(['ended', 'ended', 'ended']);
});

it('supports a time limit beyond the maximum of a timer', async () => {
  await using folder = await tempFolder({
    'a/a.lua': 'return { resolve = function() sleep(0.05) return "done" end }',
  });
  const { call } = open({ threads: 1 });
  const file = scriptFile(`${folder.path}/a/a.lua`, { limits: { timeoutMs: 1e15 } });
  expect((await call(file, scriptCall())).value).toBe('done');
});

it('stops idle workers and starts new ones on demand', async () => {
  await using folder = await tempFolder({
    'a/quick.lua': 'return { resolve = function() return "quick" end }',
  });
  const { call } = open({ threads: 1, idleMs: 20 });
  const file = scriptFile(`${folder.path}/a/quick.lua`);
  expect((await call(file, scriptCall())).value).toBe('quick');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await call(file, scriptCall())).value).toBe('quick');
});

it('cancels running calls when closed', async () => {
  await using folder = await tempFolder({
    'a/slow.lua': 'return { resolve = function(args, context) context.search("x") sleep(60) end }',
  });
  const { call, close } = open({ threads: 1 });
  const file = scriptFile(`${folder.path}/a/slow.lua`);
  const search = vi.fn<ScriptHost['search']>(async () => []);
  const hanging = () => call(file, scriptCall({ args: [{}], host: { ...emptyHost, search } }));
  // One more than the maximum number of threads: at least one call runs, and one waits.
  const calls = Array.from({ length: 5 }, () =>
    hanging().then(
      () => 'done',
      (error: Error) => error.message,
    ),
  );
  await expect.poll(() => search.mock.calls.length).toBeGreaterThan(0);
  await close();
  expect(new Set(await Promise.all(calls))).toEqual(
    new Set(['slow.lua: its thread exited', 'the sandbox is closed']),
  );
  await expect(hanging()).rejects.toThrow('the sandbox is closed');
});
