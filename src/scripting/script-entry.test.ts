import { expect, test } from 'vitest';
import { ZooError } from '../contract/errors.ts';
import { toJson } from './json.ts';
import { type EntryPlace, failureIn, readScriptEntry, withoutSecrets } from './script-entry.ts';

const env = {
  TOKEN: 'tok-123456',
  TEAM: 'payments',
  LONG: 'abcdef0123456789abcdef',
  SHORT: 'x',
  REGION: 'eu-1',
};
const place: EntryPlace = {
  kind: 'tool',
  folder: '/w',
  root: '/w',
  env,
  variables: env,
};
const written = {
  path: 'tools/t.lua',
  timeout: 2,
  allow_env: ['REGION', 'MISSING'],
  allow_hosts: ['a.example'],
  url: 'https://acme.example:8443/rest',
  api_token: '${TOKEN}',
  nested: { team: '${TEAM}', other: ['${LONG}', '${SHORT}'] },
};
const entry = {
  ...written,
  api_token: 'tok-123456',
  nested: { team: 'payments', other: ['abcdef0123456789abcdef', 'x'] },
};

test('an entry defines the script, its settings and its grants', () => {
  const { file, settings } = readScriptEntry(written, entry, place);
  expect(file).toMatchObject({
    path: '/w/tools/t.lua',
    limits: { timeoutMs: 2000, memoryBytes: 64 * 2 ** 20 },
    grants: { hosts: ['a.example', 'acme.example:8443'], env: { REGION: 'eu-1' } },
  });
  expect(settings).toEqual({ url: entry.url, api_token: entry.api_token, nested: entry.nested });
});

test('no result, log line or error contains a secret', async () => {
  const ready = readScriptEntry(written, entry, place);
  const everything = 'tok-123456 payments abcdef0123456789abcdef x';
  const result = await withoutSecrets(ready, async () => ({
    value: { deep: [everything] },
    logs: [{ level: 'info', message: everything, atMs: 0 }],
    hostCalls: {},
    tookMs: 1,
  }));
  expect(result.logs[0]?.message).toBe('[redacted] [redacted] [redacted] x');
  expect(result.value).toEqual({ deep: ['[redacted] [redacted] [redacted] x'] });
  const failing = withoutSecrets(ready, () =>
    Promise.reject(new ZooError('tool_error', everything, { traceback: [everything] })),
  );
  await expect(failing).rejects.toMatchObject({
    message: '[redacted] [redacted] [redacted] x',
    details: { traceback: ['[redacted] [redacted] [redacted] x'] },
  });
});

test('an error names its location once', () => {
  const fail = (message: string, details?: Record<string, unknown>) =>
    failureIn('/w/a.lua', new ZooError('agent_error', message, details));
  expect(fail('lib.lua:3: oh: no', { file: '/w/lib.lua', line: 3 })).toEqual({
    file: '/w/lib.lua',
    line: 3,
    message: 'oh: no',
  });
  expect(fail('deep/lib.lua:3: oh', { file: '/w/deep/lib.lua', line: 3 }).message).toBe('oh');
  expect(fail('a.lua: oh')).toEqual({ file: '/w/a.lua', line: null, message: 'oh' });
  expect(fail('something else in a.lua: oh').message).toBe('something else in a.lua: oh');
});

test('values that JSON cannot represent are rejected, and undefined ones omitted', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(() => toJson(cycle)).toThrow('it contains itself');
  expect(() => toJson({ n: 1n })).toThrow('BigInt');
  expect(toJson({ a: undefined, b: [undefined, Number.NaN], c: () => 1, d: new Date(0) })).toEqual({
    b: [null, null],
    d: '1970-01-01T00:00:00.000Z',
  });
  const shared = { x: 1 };
  expect(toJson([shared, shared])).toEqual([{ x: 1 }, { x: 1 }]);
});
