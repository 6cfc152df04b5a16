import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireServeLock } from './lock.ts';
import { homeFiles } from './paths.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'zoo-lock-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('is held by one process, and free again once released', async () => {
  const first = await acquireServeLock(home);
  expect(first).not.toBeNull();
  expect(await acquireServeLock(home)).toBeNull();
  first?.release();
  first?.release();
  const second = await acquireServeLock(home);
  expect(second).not.toBeNull();
  second?.release();
});

it('is free again after the process that held it was killed', async () => {
  const holder = `
    import { DatabaseSync } from '@photostructure/sqlite';
    const database = new DatabaseSync(${JSON.stringify(homeFiles(home).serveLock)});
    database.exec('BEGIN EXCLUSIVE');
    process.stdout.write('held');
    setInterval(() => database, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', holder]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(await acquireServeLock(home)).toBeNull();
  const gone = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await gone;
  const lock = await acquireServeLock(home);
  expect(lock).not.toBeNull();
  lock?.release();
});
