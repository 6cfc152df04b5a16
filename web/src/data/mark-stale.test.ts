import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { markStale } from './mark-stale.ts';

/** A hub whose answers are sent by hand. */
function askedBy(client: QueryClient) {
  const answers: ((value: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['listUpstreams'],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    staleTime: Infinity,
  });
  const unsubscribe = observer.subscribe(() => undefined);
  return { answers, unsubscribe, current: () => observer.getCurrentResult().data };
}

it('reads again when a change comes before the first answer', async () => {
  const client = new QueryClient();
  const { answers, unsubscribe, current } = askedBy(client);
  await expect.poll(() => answers.length).toBe(1);
  void markStale(client, ({ queryKey }) => queryKey[0] === 'listUpstreams');
  void markStale(client);
  answers[0]?.('starting');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('failed');
  await expect.poll(current).toBe('failed');
  expect(answers.length).toBe(2);
  unsubscribe();
  client.clear();
});

it('reads again when a change comes while an answer is read again', async () => {
  const client = new QueryClient();
  const { answers, unsubscribe, current } = askedBy(client);
  await expect.poll(() => answers.length).toBe(1);
  answers[0]?.('idle');
  await expect.poll(current).toBe('idle');
  void markStale(client);
  await expect.poll(() => answers.length).toBe(2);
  void markStale(client);
  await expect.poll(() => answers.length).toBe(3);
  answers[2]?.('ready');
  answers[1]?.('starting');
  await expect.poll(current).toBe('ready');
  unsubscribe();
  client.clear();
});
