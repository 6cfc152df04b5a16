import { expect, it } from 'vitest';
import { loadModelPrice } from './model-prices.ts';

const usage = {
  inputTokens: 1_000_000,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 100_000,
  reasoningTokens: 0,
};
const anthropic = { name: 'anthropic', baseUrl: 'https://api.anthropic.com', models: {}, textOnly: [] };

it('a known model has a price, and cached tokens cost less', async () => {
  const { price, facts } = await loadModelPrice(anthropic, 'claude-sonnet-4-5');
  const full = price(usage) ?? 0;
  expect(full).toBeGreaterThan(1);
  expect(price({ ...usage, cachedTokens: 900_000 })).toBeLessThan(full / 2);
  expect(facts.contextWindow).toBeGreaterThan(100_000);
});

it('the config overrides a price; without any, only tokens are counted', async () => {
  const models = { 'claude-sonnet-4-5': { inputPrice: 2, outputPrice: 10, cachedPrice: 1 } };
  const own = await loadModelPrice({ ...anthropic, models }, 'claude-sonnet-4-5');
  expect(own.price(usage)).toBe(3);
  expect(own.price({ ...usage, cachedTokens: 500_000 })).toBe(2.5);
  const local = { ...anthropic, name: 'ollama', baseUrl: 'http://127.0.0.1:11434' };
  expect((await loadModelPrice(local, 'my-own-model')).price(usage)).toBe(null);
});
