import { expect, it } from 'vitest';
import { createLatestCall } from './latest-call.ts';

/** A hub whose answers are sent by hand. */
function stage() {
  const sent: { input: number; answer: (text: string) => void; fail: (error: Error) => void }[] = [];
  const heard: string[] = [];
  const latest = createLatestCall<number, string>({
    send: (input) =>
      new Promise((answer, fail) => {
        sent.push({ input, answer, fail });
      }),
    onAnswer: (answer, input) => heard.push(`${input} ${answer}`),
    onError: (error) => heard.push(String(error)),
  });
  return { latest, sent, heard, inputs: () => sent.map(({ input }) => input) };
}

it('sends one call at a time, and skips all inputs but the newest', async () => {
  const { latest, sent, heard, inputs } = stage();
  for (const input of [1, 2, 3]) latest.ask(input);
  expect(inputs()).toEqual([1]);
  sent[0]?.answer('a');
  await expect.poll(inputs).toEqual([1, 3]);
  sent[1]?.fail(new Error('away'));
  await expect.poll(() => heard).toEqual(['1 a', 'Error: away']);
  latest.ask(4);
  await expect.poll(inputs).toEqual([1, 3, 4]);
});

it('reports nothing once it is stopped', async () => {
  const { latest, sent, heard, inputs } = stage();
  latest.ask(1);
  latest.ask(2);
  latest.stop();
  sent[0]?.answer('late');
  await Promise.resolve();
  expect(heard).toEqual([]);
  expect(inputs()).toEqual([1]);
});
