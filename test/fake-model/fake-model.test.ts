import { createParser } from 'eventsource-parser';
import { describe, expect, it } from 'vitest';
import { askers } from './askers.ts';
import type { Asker } from './askers.ts';
import { startFakeModel } from './fake-model.ts';
import { call, fail, lastResult, say, userText, waitFor } from './script.ts';

const owls = { kind: 'owls, "the" great ones 🦉' };

describe.each(askers)('a fake model asked in $format', (asker) => {
  it.each([false, true])('calls an offered tool and reads its result (streamed: %s)', async (stream) => {
    await using model = await startFakeModel([
      call('find', owls),
      (request) => say(`I found ${lastResult(request)}, as you asked.`),
    ]);
    const first = await ask(model.url, asker, { stream, tools: true });
    expect(first.read.text).toBe('');
    expect(first.read.calls).toEqual([{ name: expect.stringMatching(/zoo_+find$/), arguments: owls }]);

    const second = await ask(model.url, asker, { stream, tools: true, after: 'a barn owl' });
    expect(second.read).toEqual({ text: 'I found a barn owl, as you asked.', calls: [] });
    expect(second.type).toBe(stream ? 'text/event-stream' : 'application/json');

    const [asked] = model.requests;
    expect(asked).toMatchObject({ format: asker.format, model: 'm', system: 'Be brief.', stream });
    expect(asked?.tools).toMatchObject([{ description: 'Finds birds', schema: { type: 'object' } }]);
    expect(asked && userText(asked)).toBe('Which owls?');
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      tool: expect.stringMatching(/find$/),
      text: 'a barn owl',
    });
    expect(model.problems).toEqual([]);
    expect(model.stepsLeft()).toBe(0);
  });

  it('says something and calls twice in one answer', async () => {
    const calls = [
      { tool: 'find', arguments: { kind: 'a' } },
      { tool: 'find', arguments: {} },
    ];
    await using model = await startFakeModel([{ text: 'Looking.', calls }]);
    const { read } = await ask(model.url, asker, { stream: true, tools: true });
    expect(read.text).toBe('Looking.');
    expect(read.calls.map((each) => each.arguments)).toEqual([{ kind: 'a' }, {}]);
  });

  it('fails as a vendor does', async () => {
    await using model = await startFakeModel([fail(529, 'Overloaded')]);
    const { status, body } = await post(model.url, asker, { stream: true, tools: true });
    expect(status).toBe(529);
    expect(JSON.parse(body).error.message).toBe('Overloaded');
    expect(model.problems).toEqual([]);
  });

  it('rejects invalid requests, unknown tools and requests beyond its script', async () => {
    await using model = await startFakeModel([call('fly')]);
    expect((await postText(model.url, asker, '{}')).status).toBe(400);
    expect((await post(model.url, asker, { stream: false, tools: true })).body).toContain(
      'fly was not offered',
    );
    expect((await post(model.url, asker, { stream: false, tools: true })).body).toContain('no step 2');
    expect(model.problems).toHaveLength(3);
  });

  it('keeps questions without tools out of the conversation', async () => {
    await using model = await startFakeModel([say('hello')], { aside: 'A title' });
    expect((await ask(model.url, asker, { stream: true })).read.text).toBe('A title');
    expect((await ask(model.url, asker, { stream: true, tools: true })).read.text).toBe('hello');
    expect(model.asides).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
  });
});

it('a fake model waits for what a client shows it later', async () => {
  await using model = await startFakeModel([
    waitFor((request) => lastResult(request) === 'an owl', {
      meanwhile: call('find'),
      answer: say('At last.'),
    }),
    say('Good night.'),
  ]);
  const [asker] = askers;
  if (!asker) throw new Error('no wire format');
  const answers = ['', 'a mouse', 'an owl', 'an owl'].map((after) => ({ stream: true, tools: true, after }));
  const texts: string[] = [];
  for (const each of answers) texts.push((await ask(model.url, asker, each)).read.text);
  expect(texts).toEqual(['', '', 'At last.', 'Good night.']);
  expect(model.stepsLeft()).toBe(0);
});

it('a fake model stops a client that never ends', async () => {
  await using model = await startFakeModel([], { maxRequests: 2 });
  const [asker] = askers;
  if (!asker) throw new Error('no wire format');
  await ask(model.url, asker, { stream: false });
  await ask(model.url, asker, { stream: false });
  await expect(ask(model.url, asker, { stream: false })).rejects.toThrow('fetch failed');
  expect(model.problems).toEqual(['Error: more than 2 requests']);
});

it('a fake model notices what no vendor answers', async () => {
  await using model = await startFakeModel([]);
  expect((await fetch(model.url, { method: 'HEAD' })).status).toBe(404);
  expect(model.problems).toEqual([]);
  expect((await fetch(`${model.url}/v1/telemetry`, { method: 'POST' })).status).toBe(404);
  expect(model.problems).toEqual(['nothing answers POST /v1/telemetry']);
});

async function ask(url: string, asker: Asker, options: Parameters<Asker['body']>[0]) {
  const { type, body } = await post(url, asker, options);
  return { type, read: options.stream ? asker.readEvents(parseEvents(body)) : asker.read(JSON.parse(body)) };
}

function post(url: string, asker: Asker, options: Parameters<Asker['body']>[0]) {
  return postText(url, asker, JSON.stringify(asker.body(options)), options.stream);
}

async function postText(url: string, asker: Asker, body: string, stream = false) {
  const response = await fetch(url + asker.path(stream), { method: 'POST', body });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}

/** The events of a whole answer, up to the `[DONE]` that some formats end with. */
function parseEvents(text: string): unknown[] {
  const events: unknown[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void (data === '[DONE]' || events.push(JSON.parse(data))),
  });
  parser.feed(text);
  return events;
}
