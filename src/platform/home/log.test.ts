import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from './log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zoo-log-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const linesOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));

test('a line is one JSON object with time, level and message, in a file that only its owner reads', () => {
  const file = join(folder, 'logs', 'hub.log');
  const log = createLog({ file });
  log.info('started', { port: 7331 });
  log.debug('not at this level');
  log.close();
  expect(linesOf(file)).toEqual([
    { level: 'info', time: expect.stringMatching(/^\d{4}-/), port: 7331, msg: 'started' },
  ]);
  expect(process.platform === 'win32' ? 0 : statSync(file).mode & 0o077).toBe(0);
});

test('ZOO_LOG sets the level, and an invalid one means info', () => {
  const file = join(folder, 'hub.log');
  const log = createLog({ file, level: 'error' });
  log.warn('quiet');
  log.error('loud');
  log.close();
  const other = createLog({ file, level: 'shout' });
  other.debug('quiet');
  other.info('heard');
  other.close();
  expect(linesOf(file).map(({ msg }) => msg)).toEqual(['loud', 'heard']);
});

test('secrets do not reach the file, by key or by shape, however deep', () => {
  const file = join(folder, 'hub.log');
  const log = createLog({ file });
  const token = `zoo_${'s3cr3t'.repeat(6)}`;
  log.info(`GET /login?code=hunter2&x=1 with Bearer ${token}`, {
    headers: { authorization: `Bearer ${token}`, Cookie: 'zoo_session=hunter2', host: 'localhost' },
    upstream: [{ env: { JIRA_API_TOKEN: 'hunter2' }, url: 'https://me:hunter2@example.org/x' }],
    apiKey: 'hunter2',
    tokens: 812,
    error: new Error(`refused ${token}`),
  });
  log.close();
  const text = readFileSync(file, 'utf8');
  expect(text).not.toMatch(/hunter2|s3cr3t/);
  expect(text).toContain('"tokens":812');
  expect(text).toContain('"host":"localhost"');
  expect(text).toContain('refused zoo_[redacted]');
});

test('the file is rotated and keeps the latest lines', () => {
  const file = join(folder, 'hub.log');
  const log = createLog({ file, maxBytes: 1000, keep: 2 });
  for (let index = 0; index < 100; index += 1) log.info(`line ${index}`);
  log.close();
  expect(readdirSync(folder).toSorted()).toEqual(['hub.log', 'hub.log.1', 'hub.log.2']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1000);
  expect(linesOf(file).at(-1)).toMatchObject({ msg: 'line 99' });
});

test('a file that is too large is rotated at the start', () => {
  const file = join(folder, 'hub.log');
  writeFileSync(file, 'x'.repeat(2000));
  const log = createLog({ file, maxBytes: 1000 });
  log.info('fresh');
  log.close();
  expect(linesOf(file)).toHaveLength(1);
  expect(statSync(`${file}.1`).size).toBe(2000);
});
