import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../../test/temp-folder.ts';
import { createProcesses } from '../../../platform/processes/processes.ts';
import type { Upstream } from '../upstream.ts';
import { isUndone } from './call-failure.ts';

const launch = { kind: 'stdio', command: 'node', args: ['-e', ''], env: {}, cwd: '/', secrets: [] } as const;
const upstream: Upstream = {
  owner: null,
  name: 'x',
  launch,
  hash: 'x',
  shared: true,
  idleMs: 1000,
  timeoutMs: 1000,
  pin: false,
  missing: [],
};

it('retries a request that could not be written because the process had ended', async () => {
  await using folder = await tempFolder();
  const processes = createProcesses(join(folder.path, 'records'), { PATH: process.env['PATH'] });
  const running = await processes.start(launch);
  await running.ended;
  const error: unknown = await running.write('a request\n').catch((cause: unknown) => cause);
  expect(isUndone(error, upstream)).toBe(true);
  expect(isUndone(new Error('something else'), upstream)).toBe(false);
  await processes.settled();
});
