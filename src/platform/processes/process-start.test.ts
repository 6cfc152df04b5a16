import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { processStart } from './process-start.ts';

const idle = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);

it.skipIf(process.platform === 'win32')('tells apart processes by their start time', async () => {
  const first = idle();
  // The coarsest systems report whole seconds.
  await sleep(1100);
  const second = idle();
  const began = await processStart(first.pid ?? 0);
  expect(began).not.toBeNull();
  expect(await processStart(first.pid ?? 0)).toBe(began);
  expect(await processStart(second.pid ?? 0)).not.toBe(began);
  for (const each of [first, second]) {
    const gone = once(each, 'exit');
    each.kill('SIGKILL');
    await gone;
    expect(await processStart(each.pid ?? 0)).toBeNull();
  }
});
