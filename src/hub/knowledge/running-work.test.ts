import { expect, it } from 'vitest';
import type { SyncEvent } from '../../contract/knowledge.ts';
import { attachedTo } from '../../../test/attached-to-signal.ts';
import { createRunningWork } from './running-work.ts';

const started: SyncEvent = { type: 'start', sources: [], dryRun: false };

/** Emits one event, then waits for its signal. */
async function* endless(signal: AbortSignal, ended: () => void): AsyncGenerator<SyncEvent> {
  yield started;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  ended();
}

async function* once(): AsyncGenerator<SyncEvent> {
  yield started;
}

it('ends work whose reader stops, and waits for it', async () => {
  const work = createRunningWork();
  const stop = new AbortController();
  let ended = false;
  const events = work.run((signal) => endless(signal, () => (ended = true)), {}, stop.signal);
  expect(await events.next()).toMatchObject({ value: started });
  expect(work.use().open).toBe(1);
  stop.abort();
  expect(await events.next()).toMatchObject({ done: true });
  expect([ended, work.use().open]).toEqual([true, 0]);
});

it('continues work in the background after its reader has left, until it is closed', async () => {
  const work = createRunningWork();
  const stop = new AbortController();
  let ended = false;
  const open = (signal: AbortSignal) => endless(signal, () => (ended = true));
  const events = work.run(open, { background: true }, stop.signal);
  await events.next();
  stop.abort();
  expect(await events.next()).toMatchObject({ done: true });
  expect([ended, work.use().open]).toEqual([false, 1]);
  await work.close();
  expect([ended, work.use().open]).toEqual([true, 0]);
});

it('leaves nothing at its own signal after work has ended', async () => {
  const work = createRunningWork();
  const { signal } = new AbortController();
  for (let n = 0; n < 20; n++) {
    for await (const _ of work.run(once, {}, signal));
  }
  expect([attachedTo(work.closing), attachedTo(signal)]).toEqual([0, 0]);
});
