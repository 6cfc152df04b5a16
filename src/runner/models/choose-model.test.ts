import { describe, expect, it } from 'vitest';
import { chooseModels } from './choose-model.ts';
import { listProviders } from './configured-providers.ts';

const providers = listProviders(
  { work: { base_url: 'https://models.example.com/v1' } },
  { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' },
  { ofWorkspace: [] },
).flatMap(({ provider }) => provider ?? []);
const names = (wishes: Parameters<typeof chooseModels>[0]) => {
  const { choices, warnings } = chooseModels(wishes, providers);
  return { models: choices.map(({ provider, model }) => `${provider.name}/${model}`), warnings };
};

describe('the models of a run', () => {
  it.each([
    ['anthropic/claude-x', 'anthropic/claude-x'],
    ['work/llama/70b', 'work/llama/70b'],
    ['sonnet', 'anthropic/claude-sonnet-4-5'],
    ['gpt-5', 'openai/gpt-5'],
    ['claude-opus-4-5', 'anthropic/claude-opus-4-5'],
  ])("an agent's '%s' is %s", (written, chosen) => {
    expect(names({ agent: [written] })).toEqual({ models: [chosen], warnings: [] });
  });

  it("'inherit' is the default, of the config if it names one", () => {
    expect(names({ agent: ['inherit'] }).models).toEqual(['anthropic/claude-sonnet-4-5']);
    expect(names({ agent: ['inherit'], config: ['work/m'] })).toEqual({ models: ['work/m'], warnings: [] });
  });

  it('a name that no provider has is replaced by the default, with a warning', () => {
    const { models, warnings } = names({ agent: ['composer-2'], config: ['work/m'] });
    expect(models).toEqual(['work/m']);
    expect(warnings.join(' ')).toMatch(/agent's model 'composer-2'.*Using work\/m instead/);
  });

  it('a list is used in its order, and a model in the call wins', () => {
    const agent = ['gpt-5', 'nobody-has-it', 'sonnet'];
    expect(names({ agent }).models).toEqual(['openai/gpt-5', 'anthropic/claude-sonnet-4-5']);
    expect(names({ agent, call: ['work/a', 'haiku'] }).models).toEqual([
      'work/a',
      'anthropic/claude-haiku-4-5',
    ]);
    expect(() => names({ call: ['nobody-has-it'] })).toThrow('No configured provider has the model');
  });

  it('[runner] model may be a list of fallbacks as well', () => {
    const config = ['work/a', 'google/gemini-2.5-pro', 'sonnet'];
    expect(names({ config }).models).toEqual(['work/a', 'anthropic/claude-sonnet-4-5']);
    expect(names({ config }).warnings[0]).toMatch(/'google\/gemini-2.5-pro' of \[runner\] model/);
    expect(names({ agent: ['inherit'], config }).models).toHaveLength(2);
    expect(() => names({ config: ['google/a', 'google/b'] })).toThrow("has the model 'google/a'");
  });

  it('a model of a provider that lacks its key says which one', () => {
    const key = 'Google Gemini needs a key: `zoo secret set GEMINI_API_KEY`.';
    expect(() => names({ call: ['google/gemini-2.5-pro'] })).toThrow(key);
    expect(() => names({ call: ['gemini-2.5-pro'] })).toThrow(key);
    expect(() => names({ call: ['nobody/x'] })).not.toThrow(/needs a key|PROVIDER\/MODEL/);
  });

  it('a provider without a model is not a model', () => {
    expect(() => names({ call: ['anthropic/'] })).toThrow('Write it as PROVIDER/MODEL');
  });

  it('a provider may be named like a property of every object', () => {
    const providers = { constructor: { base_url: 'http://127.0.0.1:1/v1' } };
    expect(listProviders(providers, {})[0]).toMatchObject({ name: 'constructor', missing: null });
  });

  it('without a provider, the error names the three quickest ways to get one', () => {
    expect(() => chooseModels({}, [])).toThrow(/zoo secret set[^]*\[providers\.NAME\][^]*Ollama/);
  });
});
