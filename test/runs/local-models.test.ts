import { expect, it } from 'vitest';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, say } from '../fake-model/script.ts';
import { startHub } from '../start-hub.ts';

const AGENT = '[agents.ada]\nsystem_prompt = "You are Ada."\ntools = ["sources"]\n';
const tag = (name: string, family: string) => ({ name, model: name, details: { family } });
const TAGS = {
  models: [
    tag('nomic-embed-text:latest', 'nomic-bert'),
    tag('qwen3:8b', 'qwen3'),
    tag('phi4:latest', 'phi3'),
  ],
};

/** A hub whose only provider is an Ollama that answers like this. */
async function hubWithOllama(extras: Record<string, unknown>, config = AGENT) {
  const ollama = await startFakeModel([call('sources'), say('There are none.')], { extras });
  const env = { OLLAMA_HOST: ollama.url.replace('http://', '') };
  const hub = await startHub({}, { own: { 'zoo.toml': config }, env });
  return {
    ollama,
    hub,
    async run(body: Record<string, unknown> = {}) {
      const started = await hub.request('POST', '/api/runs', {
        agent: 'ada',
        prompt: 'Which sources?',
        ...body,
      });
      if (started.status !== 202) return { started, events: [] };
      const events = String((await hub.request('GET', `/api/runs/${started.body.id}/events`)).body);
      return {
        started,
        events: events
          .split('\n')
          .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)).event] : [])),
      };
    },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await ollama[Symbol.asyncDispose]();
    },
  };
}

it('uses the newest model of a local Ollama if nothing else is configured, and says so', async () => {
  await using at = await hubWithOllama({ 'GET /api/tags': TAGS });
  const { events } = await at.run();
  expect(events[0]).toMatchObject({
    type: 'run-started',
    model: 'ollama/qwen3:8b',
    warnings: ['No model is configured: using ollama/qwen3:8b, which runs on this machine.'],
  });
  expect(events.at(-1)).toMatchObject({ state: 'completed', text: 'There are none.' });
  expect(at.ollama.requests.map(({ model }) => model)).toEqual(['qwen3:8b', 'qwen3:8b']);
  const { body } = await at.hub.request('GET', '/api/providers');
  expect(body.defaultModel).toBe('ollama/qwen3:8b');
  expect(body.providers).toContainEqual(
    expect.objectContaining({ name: 'ollama', missing: null, defaultModel: 'qwen3:8b' }),
  );
});

it("matches an agent's model without a provider to a model of Ollama", async () => {
  await using at = await hubWithOllama({ 'GET /api/tags': TAGS }, `${AGENT}model = "phi4"\n`);
  expect((await at.run()).events[0]).toMatchObject({ model: 'ollama/phi4:latest', warnings: [] });
});

it('prefers a provider that is configured', async () => {
  await using other = await startFakeModel([say('From elsewhere.')]);
  const config = `${AGENT}[providers.lan]\nbase_url = "${other.url}/v1"\nmodels = { big = {} }\n`;
  await using at = await hubWithOllama({ 'GET /api/tags': TAGS }, config);
  expect((await at.run()).events[0]).toMatchObject({ model: 'lan/big', warnings: [] });
});

it.each([
  ['is not running', {}, /not running at http/],
  ['has no models', { 'GET /api/tags': { models: [] } }, /without a model: ollama pull/],
])('names what is missing if Ollama %s', async (_, extras, missing) => {
  await using at = await hubWithOllama(extras);
  const { started } = await at.run();
  expect(started.status).toBe(503);
  expect(started.body.error.message).toMatch(/A local Ollama needs no key and is found/);
  const { body } = await at.hub.request('GET', '/api/providers');
  const ollama = body.providers.find(({ name }: { name: string }) => name === 'ollama');
  expect({ ...ollama, missing: missing.test(ollama.missing) }).toMatchObject({ missing: true, from: null });
});

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

it.each([
  [['completion', 'tools', 'vision'], true],
  [['completion', 'tools'], false],
])('asks Ollama whether a model sees images: %o', async (capabilities, sees) => {
  await using at = await hubWithOllama({ 'GET /api/tags': TAGS, 'POST /api/show': { capabilities } });
  const image = { type: 'file', mediaType: 'image/png', data: pixel, name: 'dot.png' };
  await at.run({ prompt: [{ type: 'text', text: 'Look.' }, image] });
  expect(JSON.stringify(at.ollama.requests[0]?.body).includes(pixel)).toBe(sees);
});
