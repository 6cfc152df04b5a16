import { execFileSync } from 'node:child_process';
import { readFile, readdir, symlink } from 'node:fs/promises';
import { type Server, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZooError } from '../../contract/errors.ts';
import { bridging } from '../../../test/hostile/bridge.ts';
import type { HostileScript } from '../../../test/hostile/hostile-script.ts';
import { exceeding } from '../../../test/hostile/limits.ts';
import { reaching } from '../../../test/hostile/reach.ts';
import { emptyHost, scriptCall, scriptFile } from '../../../test/scripts/script-file.ts';
import { type TempFolder, tempFolder } from '../../../test/temp-folder.ts';
import { createSandbox } from '../create-sandbox.ts';
import type { Json, ScriptHost } from '../sandbox.ts';

const all = [...reaching, ...exceeding, ...bridging];
const fileOf = (name: string) => `scripts/hostile-${all.findIndex((script) => script.name === name)}.lua`;

const secret = 'a-canary-that-nobody-may-hear';
const canaryName = 'ZOO_TEST_CANARY';
const sandbox = createSandbox({ threads: 4 });
const heard: string[] = [];
let folder: TempFolder;
let listener: Server;
let connections = 0;
let before: string[] = [];

const host: ScriptHost = {
  ...emptyHost,
  search: ({ query }, signal) =>
    query === 'hang'
      ? new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        )
      : Promise.resolve([]),
  get: (id) =>
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a host may throw anything
    id === 'throws-null' ? Promise.reject(null) : Promise.reject(new Error(`no such document: ${id}`)),
};

beforeAll(async () => {
  process.env[canaryName] = secret;
  folder = await tempFolder({
    'canary.txt': secret,
    'canary.lua': `return "${secret}"`,
    'scripts/.env': secret,
    'scripts/shared.lua': 'return { count = 0 }',
    'scripts/good.lua': 'return { resolve = function(args) return "good " .. args.n end }',
  });
  await symlink('../canary.lua', `${folder.path}/scripts/linked.lua`);
  await symlink('..', `${folder.path}/scripts/linked-folder`);
  execFileSync('mkfifo', [`${folder.path}/scripts/pipe`]);
  for (const { name } of all) await folder.write(fileOf(name), '');
  before = await readdir(folder.path, { recursive: true });
  listener = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
});

afterAll(async () => {
  delete process.env[canaryName];
  await sandbox.close();
  listener.close();
  await folder[Symbol.asyncDispose]();
});

async function good(n: number): Promise<unknown> {
  const call = scriptCall({ args: [{ n }], host });
  return (await sandbox.call(scriptFile(`${folder.path}/scripts/good.lua`), call)).value;
}

/** How the call of a hostile script ends. */
async function run({
  name,
  lua,
  ends,
}: HostileScript): Promise<{ value: Json } | { error: string; message: string }> {
  const { port } = listener.address() as AddressInfo;
  const text = lua
    .replaceAll('CANARY_FILE', `${folder.path}/canary.txt`)
    .replaceAll('CANARY_PORT', String(port))
    .replaceAll('CANARY_NAME', canaryName);
  const file = scriptFile(await folder.write(fileOf(name), text), {
    // Filling the memory takes a while, and must not be mistaken for a loop on a busy machine.
    limits: {
      timeoutMs: 'error' in ends && ends.error === 'timeout' ? 250 : 60_000,
      hostCalls: 100,
    },
    grants: { hosts: ['granted.example', '*.granted.example'] },
  });
  try {
    const call = scriptCall({ host, onLog: ({ message }) => heard.push(message) });
    const { value } = await sandbox.call(file, call);
    heard.push(JSON.stringify(value));
    return { value };
  } catch (error) {
    if (!(error instanceof ZooError)) throw error;
    heard.push(error.message, JSON.stringify(error.details ?? {}));
    return { error: error.code, message: error.message };
  }
}

describe.each([
  ['out of its box', reaching],
  ['over its limits', exceeding],
  ['through the bridge', bridging],
])('a script that tries to get %s', (_where, scripts) => {
  it.concurrent.each(scripts)('is contained: $name', async (script) => {
    expect(await run(script)).toEqual(expected(script));
  });
});

function expected({ ends }: HostileScript): unknown {
  if ('value' in ends) return ends;
  return { error: ends.error, message: expect.stringMatching(ends.says ?? /./) };
}

it('has many scripts with unique names', () => {
  const names = all.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(60);
});

it('does not affect other scripts', async () => {
  expect(await Promise.all(Array.from({ length: 20 }, (_, n) => good(n)))).toEqual(
    Array.from({ length: 20 }, (_, n) => `good ${n}`),
  );
  expect(await readFile(`${folder.path}/canary.txt`, 'utf8')).toBe(secret);
  expect(await readdir(folder.path, { recursive: true })).toEqual(before);
  expect(connections).toBe(0);
  expect(heard.join('\n')).not.toContain(secret);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

it('keeps answering others while hostile scripts run', async () => {
  const path = await folder.write(fileOf('a loop'), 'while true do end');
  const hostile = Array.from({ length: 6 }, () =>
    sandbox
      .call(scriptFile(path, { limits: { timeoutMs: 1_000 } }), scriptCall({ host }))
      .catch((error: unknown) => error),
  );
  expect(await good(1)).toBe('good 1');
  for (const error of await Promise.all(hostile)) expect(error).toMatchObject({ code: 'timeout' });
  expect(await good(2)).toBe('good 2');
});
