import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findHub, removeHubFile, writeHubFile } from './hub-file.ts';
import { homeFiles } from './paths.ts';

const running = {
  pid: process.pid,
  url: 'http://127.0.0.1:7331',
  socket: '/home/somebody/hub.sock',
  version: '1.0.0',
  startedAt: '2026-11-15T08:00:00Z',
  secret: 's',
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'zoo-hub-file-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('has the address of the hub while it runs', () => {
  expect(findHub(home)).toBeNull();
  writeHubFile(home, running);
  expect(findHub(home)).toEqual(running);
  expect(statSync(homeFiles(home).hub).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(['hub.json']);
});

it('is ignored when its process has died', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeHubFile(home, { ...running, pid });
  expect(findHub(home)).toBeNull();
});

it.each(['', '{', 'null', '[]', '{"pid":1}', '{"pid":-1,"url":"x","version":"1","startedAt":"x"}'])(
  'is ignored when it holds %j',
  (text) => {
    writeFileSync(homeFiles(home).hub, text);
    expect(findHub(home)).toBeNull();
  },
);

it('is removed only by the hub that wrote it', () => {
  writeHubFile(home, running);
  removeHubFile(home, running.pid + 1);
  expect(findHub(home)).toEqual(running);
  removeHubFile(home, running.pid);
  expect(findHub(home)).toBeNull();
});
