import { expect, it } from 'vitest';
import { type Effort, type Model, ModelFailure } from '../models/model.ts';
import { requestAnswer } from './request-answer.ts';

/** One request to a model that behaves like this; answers what was reserved and what was settled. */
async function costOf(answer: Model['answer'], effort?: Effort) {
  const amounts: { tokens: number; usd: number }[] = [];
  const model = { id: 'p/m', provider: 'p', name: 'm', facts: {}, answer };
  const price = ({ outputTokens }: { outputTokens: number }) => outputTokens / 100;
  const ended = requestAnswer(
    { model, price },
    { step: 1, messages: [], tools: [] },
    {
      system: '',
      limits: { maxTurns: 5, maxOutputTokens: 100, wallMs: 1_000 },
      temperature: undefined,
      effort,
      outputSchema: undefined,
      reserve: async (amount) => {
        amounts.push(amount);
        return { settle: (used) => void amounts.push(used) };
      },
      gate: async () => undefined,
      emit: () => undefined,
      countTokens: (text) => text.length,
      sleep: async () => undefined,
      signal: new AbortController().signal,
    },
  );
  await ended.catch(() => undefined);
  return amounts.map(({ tokens, usd }) => ({ tokens, usd }));
}

const refused = () => Promise.reject(new ModelFailure('fatal', 'refused'));

it('an answer that was cut off costs what had arrived of it', async () => {
  const cutOff: Model['answer'] = async (_request, onDelta) => {
    onDelta({ type: 'reasoning', part: 0, offset: 0, text: 'Well, ' });
    onDelta({ type: 'text', part: 1, offset: 0, text: 'half' });
    return refused();
  };
  expect((await costOf(cutOff))[1]).toEqual({ tokens: 10, usd: 0.1 });
  expect((await costOf(refused))[1]).toEqual({ tokens: 0, usd: 0 });
});

it('a request reserves what the model may think, beside its answer', async () => {
  expect((await costOf(refused))[0]).toEqual({ tokens: 100, usd: 1 });
  expect((await costOf(refused, 'low'))[0]).toEqual({ tokens: 2_100, usd: 21 });
});
