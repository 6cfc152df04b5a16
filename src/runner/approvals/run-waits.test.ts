import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { createRunWaits } from './run-waits.ts';

it('a second question waits until the run is stored as waiting, and the last answer continues it', async () => {
  const done: string[] = [];
  const disk = new EventEmitter();
  const store = {
    async waiting() {
      await once(disk, 'commit');
      done.push('waiting');
    },
    continued: async () => void done.push('continued'),
  };
  const lease = { kind: 'run', id: 'r1', owner: 'hub', fence: 1, expiresAt: 0 };
  const waits = createRunWaits(store, lease, new AbortController().signal);
  const asked = [1, 2].map(async (question) => {
    const end = await waits.begin();
    done.push(`asked ${question}`);
    return end;
  });
  disk.emit('commit');
  const [first, second] = await Promise.all(asked);
  expect(done).toEqual(['waiting', 'asked 1', 'asked 2']);
  await first?.();
  expect(done).not.toContain('continued');
  await second?.();
  expect(done.at(-1)).toBe('continued');
});

it('a wait that could not be stored does not fail the next question', async () => {
  const done: string[] = [];
  let isFull = true;
  const store = {
    async waiting() {
      if (isFull) throw new Error('the disk is full');
      done.push('waiting');
    },
    continued: async () => void done.push('continued'),
  };
  const lease = { kind: 'run', id: 'r1', owner: 'hub', fence: 1, expiresAt: 0 };
  const waits = createRunWaits(store, lease, new AbortController().signal);
  await expect(waits.begin()).rejects.toThrow('the disk is full');
  isFull = false;
  const end = await waits.begin();
  await end();
  expect(done).toEqual(['waiting', 'continued']);
});
