import { expect, it } from 'vitest';
import { attachedTo } from '../../../test/attached-to-signal.ts';
import { linkSignals } from './link-signals.ts';

it('aborts with the first of the signals, and for its reason', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const { signal } = linkSignals(one.signal, other.signal);
  expect(signal.aborted).toBe(false);
  other.abort('enough');
  one.abort('too late');
  expect(signal.reason).toBe('enough');
  expect(linkSignals(one.signal).signal.reason).toBe('too late');
});

it('leaves nothing at its sources once it is unlinked', () => {
  const source = new AbortController();
  for (let n = 0; n < 10; n++) linkSignals(source.signal).unlink();
  expect(attachedTo(source.signal)).toBe(0);
});
