import { expect, it } from 'vitest';
import { startFakeModel } from '../../../../test/fake-model/fake-model.ts';
import { listProviders } from '../configured-providers.ts';
import { openModel } from './open-model.ts';

const addresses = {
  anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  openai: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'],
  ollama: ['NONE', 'OLLAMA_HOST'],
} as const;

/** The request that reaches the provider, and the warnings of its answer. */
async function ask(provider: keyof typeof addresses, model: string) {
  await using fake = await startFakeModel([], { aside: 'ok' });
  const [key, address] = addresses[provider];
  const listed = listProviders({}, { [key]: 'k', [address]: fake.url });
  const configured = listed.find(({ name }) => name === provider)?.provider;
  if (!configured) throw new Error(`no provider ${provider}`);
  const open = await openModel(configured, model, {});
  const { warnings } = await open.answer(
    {
      system: '',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      tools: [],
      maxOutputTokens: 500,
      temperature: 0.3,
      effort: 'high',
      signal: new AbortController().signal,
    },
    () => undefined,
  );
  return { body: fake.asides[0]?.body, warnings };
}

it.each([
  [
    'anthropic',
    'claude-sonnet-4-5',
    { max_tokens: 24_500, thinking: { type: 'enabled', budget_tokens: 24_000 } },
  ],
  [
    'anthropic',
    'claude-opus-5-5',
    { max_tokens: 24_500, thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
  ],
  ['openai', 'gpt-5', { max_output_tokens: 24_500, reasoning: { effort: 'high' } }],
  ['openai', 'gpt-4o', { max_output_tokens: 500, temperature: 0.3 }],
  [
    'google',
    'gemini-2.5-flash',
    {
      generationConfig: {
        maxOutputTokens: 24_500,
        temperature: 0.3,
        thinkingConfig: { thinkingBudget: 24_000 },
      },
    },
  ],
  ['ollama', 'qwen3', { max_tokens: 500, temperature: 0.3, reasoning_effort: 'high' }],
] as const)('%s/%s thinks beside its answer, not instead of it', async (provider, model, expected) => {
  expect((await ask(provider, model)).body).toMatchObject(expected);
});

it('a setting that a model does not have is named', async () => {
  expect((await ask('openai', 'gpt-5')).warnings.join()).toMatch(
    /'temperature' is not supported by this model/,
  );
});
