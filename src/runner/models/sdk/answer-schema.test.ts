import { expect, it } from 'vitest';
import { startFakeModel } from '../../../../test/fake-model/fake-model.ts';
import { say } from '../../../../test/fake-model/script.ts';
import { type Format, formats } from '../../../../test/runs/play-loop.ts';
import { listProviders } from '../configured-providers.ts';
import { openModel } from './open-model.ts';

const tool = { name: 'weather', description: 'The weather', inputSchema: { type: 'object' } };
const OPTIONAL = { type: 'object', properties: { fjord: { type: 'string' } } };
const STRICT = { ...OPTIONAL, required: ['fjord'], additionalProperties: false };

/** The request for an answer of this schema, as it reaches the provider. */
async function ask(
  format: Format | 'acme',
  outputSchema: Record<string, unknown>,
  tools = [tool],
): Promise<unknown> {
  await using fake = await startFakeModel([say('{}')], { aside: '{}' });
  const { variable, address, model } = formats[format === 'acme' ? 'ollama' : format];
  const acme = { base_url: `${fake.url}/v1` };
  const listed = listProviders({ acme }, { [variable]: 'k', [address]: fake.url });
  const provider = listed.find(({ name }) => name === format)?.provider;
  if (!provider) throw new Error(`no provider ${format}`);
  const { answer } = await openModel(provider, model, {});
  const { warnings } = await answer(
    {
      system: 'You are Ada.',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      tools,
      maxOutputTokens: 500,
      outputSchema,
      signal: new AbortController().signal,
    },
    () => undefined,
  );
  expect(warnings).toEqual([]);
  return [...fake.requests, ...fake.asides][0]?.body;
}

it.each(Object.keys(formats) as Format[])(
  '%s is given the schema, with tools and without',
  async (format) => {
    expect(JSON.stringify(await ask(format, STRICT))).toContain('fjord');
    expect(JSON.stringify(await ask(format, STRICT, []))).toContain('fjord');
  },
);

it('OpenAI enforces a schema only if its strict mode takes it', async () => {
  expect(await ask('openai', STRICT)).toMatchObject({ text: { format: { strict: true } } });
  for (const schema of [
    OPTIONAL,
    { ...STRICT, required: [] },
    { ...STRICT, properties: { fjord: { type: 'array', items: OPTIONAL } } },
    { ...STRICT, properties: { fjord: { type: 'string', default: 'Oslo' } } },
  ])
    expect(await ask('openai', schema)).toMatchObject({ text: { format: { strict: false } } });
});

it.each(['google', 'ollama'] as const)('%s may call tools before it answers in JSON', async (format) => {
  const withTools = JSON.stringify(await ask(format, STRICT));
  expect(withTools).not.toMatch(/responseMimeType|response_format/);
  expect(withTools).toContain('You are Ada.');
  expect(JSON.stringify(await ask(format, STRICT, []))).toMatch(/responseSchema|"json_schema"/);
});

it('an endpoint that may refuse a JSON format is told the schema in words', async () => {
  const request = JSON.stringify(await ask('acme', STRICT, []));
  expect(request).toContain('fjord');
  expect(request).not.toContain('response_format');
});
