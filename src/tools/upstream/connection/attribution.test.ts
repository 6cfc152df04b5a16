import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { ClientQuestion } from '../../../contract/tool.ts';
import { createAttribution } from './attribution.ts';
import type { Listener } from './link.ts';

const question: ClientQuestion = { method: 'elicitation/create', params: { message: '?' } };

interface Caller extends Listener {
  stop: AbortController;
}

function caller(name: string): Caller {
  const stop = new AbortController();
  return {
    stop,
    signal: stop.signal,
    begun: () => undefined,
    ask: async () => ({ question: { by: name } }),
    progress: () => undefined,
    log: () => undefined,
  };
}

/** Work that runs until the test ends it. */
function work() {
  const begun = vi.fn<() => void>();
  let end: (error?: Error) => void = () => undefined;
  const ended = new Promise<string>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve('done'));
  });
  return {
    begun,
    end: (error?: Error) => end(error),
    run: () => {
      begun();
      return ended;
    },
  };
}

const create = (asks = false, onAsks = () => undefined) => createAttribution({ asks, onAsks });

describe('a question without a call', () => {
  it('goes to the only running call', async () => {
    const attribution = create();
    const [ada, call] = [caller('Ada'), work()];
    const running = attribution.run(ada, call.run);
    expect(await attribution.ask(question)).toEqual({ by: 'Ada' });
    call.end();
    expect(await running).toBe('done');
  });

  it('goes nowhere when no call runs', async () => {
    expect(await create().ask(question)).toBeNull();
  });

  it('waits for the other calls to finish, while no new one starts', async () => {
    const onAsks = vi.fn<() => undefined>();
    const attribution = create(false, onAsks);
    const [first, second, third] = [work(), work(), work()];
    const one = attribution.run(caller('Ada'), first.run);
    const two = attribution.run(caller('Grace'), second.run);
    const asked = attribution.ask(question);
    const three = attribution.run(caller('Edsger'), third.run);
    await nextTurn();
    expect(onAsks).toHaveBeenCalledOnce();
    expect(third.begun).not.toHaveBeenCalled();
    first.end();
    expect(await one).toBe('done');
    expect(await asked).toEqual({ by: 'Grace' });
    await nextTurn();
    expect(third.begun).not.toHaveBeenCalled();
    second.end();
    await two;
    await nextTurn();
    expect(third.begun).toHaveBeenCalled();
    third.end();
    await three;
  });

  it('goes nowhere when a call that may have asked it was cancelled', async () => {
    const attribution = create();
    const [first, second] = [work(), work()];
    const one = attribution.run(caller('Ada'), first.run);
    const two = attribution.run(caller('Grace'), second.run);
    const asked = attribution.ask(question);
    first.end(new Error('cancelled'));
    await expect(one).rejects.toThrow('cancelled');
    expect(await asked).toBeNull();
    second.end();
    await two;
  });

  it('goes nowhere when there are as many questions as calls', async () => {
    const attribution = create();
    const [first, second] = [work(), work()];
    const running = [attribution.run(caller('Ada'), first.run), attribution.run(caller('Grace'), second.run)];
    expect(await Promise.all([attribution.ask(question), attribution.ask(question)])).toEqual([null, null]);
    first.end();
    second.end();
    await Promise.all(running);
  });
});

describe('a server that is known to ask', () => {
  it('gets its calls one at a time and in order, and a cancelled one does not block the rest', async () => {
    const attribution = create(true);
    const callers = ['Ada', 'Grace', 'Edsger'].map(caller);
    const works = callers.map(() => work());
    const running = callers.map((each, n) => attribution.run(each, works[n]?.run ?? (async () => '')));
    running[1]?.catch(() => undefined);
    await nextTurn();
    expect(works.map(({ begun }) => begun.mock.calls.length)).toEqual([1, 0, 0]);
    callers[1]?.stop.abort(new Error('cancelled'));
    await expect(running[1]).rejects.toThrow('cancelled');
    works[0]?.end();
    await running[0];
    await nextTurn();
    expect(works.map(({ begun }) => begun.mock.calls.length)).toEqual([1, 0, 1]);
    expect(await attribution.ask(question)).toEqual({ by: 'Edsger' });
    works[2]?.end();
    await running[2];
  });
});
