import { describe, expect, it } from 'vitest';
import { call, hang, say, type Step, userText } from '../fake-model/script.ts';
import { storeOf } from '../publishing/store-of-hub.ts';
import type { RunningHub } from '../start-hub.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Event, openStream, stage, testTool } from './run-stage.ts';

const AGENT = '[agents.ada]\nsystem_prompt = "You are Ada."\ntools = ["sources"]\n';

async function begin(hub: RunningHub, body: Record<string, unknown> = {}): Promise<string> {
  const { status, body: chat } = await hub.request('POST', '/api/chats', { agent: 'ada', ...body });
  expect(status).toBe(201);
  return chat.id;
}

const chatOf = async (hub: RunningHub, id: string): Promise<Event> =>
  (await hub.request('GET', `/api/chats/${id}`)).body;

/** Sends a message and waits for the end of its run. */
async function ask(hub: RunningHub, id: string, message: unknown, more = {}): Promise<Event> {
  const { status, body } = await hub.request('POST', `/api/chats/${id}/messages`, { message, ...more });
  expect(status).toBe(202);
  await ended(hub, body.runId);
  return body;
}

async function ended(hub: RunningHub, runId: string): Promise<void> {
  await hub.request('GET', `/api/runs/${runId}/events`);
}

/** A chat whose hub stopped during an answer. */
async function unfinished() {
  const home = await tempFolder();
  const folder = await tempFolder();
  const same = { home: home.path, folder: folder.path };
  const at = await stage([hang()], AGENT, same);
  const id = await begin(at.hub);
  const { body } = await at.hub.request('POST', `/api/chats/${id}/messages`, { message: 'Hello' });
  await expect.poll(() => at.model.requests.length).toBe(1);
  await at[Symbol.asyncDispose]();
  const store = storeOf(at);
  return {
    same,
    id,
    runId: body.runId as string,
    store,
    async [Symbol.asyncDispose]() {
      store[Symbol.dispose]();
      await home[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Reads a chat until `count` of its turns are done. */
async function watch(hub: RunningHub, id: string, count: number, after = 0): Promise<Event[]> {
  const stop = new AbortController();
  const events: Event[] = [];
  let left = count;
  for await (const event of openStream(hub, `/api/chats/${id}/events?after=${after}`, stop.signal)) {
    events.push(event);
    if (event.event.type === 'done' && --left === 0) break;
  }
  stop.abort();
  return events;
}

describe('a chat', () => {
  it('remembers earlier turns, and is kept', async () => {
    await using home = await tempFolder();
    await using folder = await tempFolder();
    const same = { home: home.path, folder: folder.path };
    const steps = [call('sources'), say('None yet.'), say('I said: none yet.')];
    const first = await stage(steps, AGENT, same);
    const id = await begin(first.hub);
    const sent = await ask(first.hub, id, 'Which sources\nare there?');
    expect(sent).toMatchObject({ turn: 1, joined: false });
    await ask(first.hub, id, 'What did you say?');
    const seen = first.model.requests.at(-1);
    expect(seen?.messages.map(({ role }) => role)).toEqual(['user', 'tool', 'assistant', 'user']);
    expect(seen?.messages[0]?.text).toBe('Which sources\nare there?');
    await first[Symbol.asyncDispose]();

    await using at = await stage([say('Still here.')], AGENT, same);
    await ask(at.hub, id, 'Are you there?');
    expect(at.model.requests[0]?.messages).toHaveLength(6);
    const chat = await chatOf(at.hub, id);
    expect(chat).toMatchObject({ title: 'Which sources', turns: 3, state: 'completed', agentId: 'ada' });
    expect(chat.history.map(({ text }: Event) => text)).toEqual([
      'None yet.',
      'I said: none yet.',
      'Still here.',
    ]);
    expect(chat.branch).toEqual(chat.history.map(({ runId }: Event) => runId));
    const before = (await at.hub.request('GET', `/api/runs/${chat.head}/history`)).body;
    expect(before.messages.map(({ role }: Event) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(before.shortened).toBeNull();
    const listed = (await at.hub.request('GET', '/api/chats?agent=ada')).body;
    expect(listed).toMatchObject({ total: 1, chats: [{ id, turns: 3 }] });
    const stats = (await at.hub.request('GET', `/api/chats/${id}/stats`)).body;
    expect(stats).toMatchObject({ turns: 3, steps: 4, toolCalls: 1, usage: { inputTokens: 40 } });
    expect(stats.usage.usd).toBeGreaterThan(0);
    const run = (await at.hub.request('GET', `/api/runs/${sent.runId}`)).body;
    expect(run.receipt).toMatchObject({ warnings: [] });
  });

  it('shows two windows the same stream, and resumes after a cursor', async () => {
    await using at = await stage([say('One.'), say('Two.')], AGENT);
    const id = await begin(at.hub);
    const windows = [watch(at.hub, id, 2), watch(at.hub, id, 2)];
    await ask(at.hub, id, 'First');
    await ask(at.hub, id, 'Second');
    const [one = [], two = []] = await Promise.all(windows);
    expect(two).toEqual(one);
    const kinds = one.map(({ event }) => event.type);
    expect(kinds.filter((type) => type === 'turn-started')).toHaveLength(2);
    const numbers = one.map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const middle = one.findIndex(({ event }) => event.type === 'done');
    const rest = await watch(at.hub, id, 1, one[middle].seq);
    expect(rest.map(({ event }) => event.type)).toEqual(kinds.slice(middle + 1));
  });

  it('goes on for its reader with an answer that lost its process', { timeout: 20_000 }, async () => {
    await using left = await unfinished();
    const lease = (until: number) => `UPDATE leases SET owner = 'another process', expires_at = ${until}`;
    await left.store.run(lease(Date.now() + 60_000));
    await using at = await stage([say('Here it is.')], AGENT, left.same);
    await left.store.run(lease(0));
    const events = await watch(at.hub, left.id, 1);
    expect(events.at(-1)).toMatchObject({ event: { type: 'done', text: 'Here it is.' } });
  });

  it('has one run at a time, also if a message follows the resumption of a turn at once', async () => {
    await using left = await unfinished();
    await left.store.run("UPDATE runs SET state = 'interrupted'");
    await using at = await stage([hang(), hang()], AGENT, left.same);
    await at.hub.request('POST', `/api/runs/${left.runId}/resume`);
    const sent = await at.hub.request('POST', `/api/chats/${left.id}/messages`, { message: 'More' });
    expect(sent).toMatchObject({ body: { joined: true, runId: left.runId } });
    expect((await chatOf(at.hub, left.id)).history).toHaveLength(1);
  });

  it('branches when a message is edited or sent again; nothing is overwritten', async () => {
    const seen: string[] = [];
    const echo: Step = (request) => {
      seen.push(userText(request));
      return say(`Answer ${seen.length}.`);
    };
    await using at = await stage([echo, echo, echo, echo], AGENT);
    const id = await begin(at.hub);
    const first = await ask(at.hub, id, 'One');
    const second = await ask(at.hub, id, 'Two');
    const edited = await ask(at.hub, id, 'Two, edited', { previous: first.runId });
    expect(seen[2]).toBe('One\nTwo, edited');
    const chat = await chatOf(at.hub, id);
    expect(chat.branch).toEqual([first.runId, edited.runId]);
    expect(chat.history.map(({ runId }: Event) => runId)).toEqual([first.runId, second.runId, edited.runId]);
    const retried = (await at.hub.request('POST', `/api/chats/${id}/retry`)).body;
    await ended(at.hub, retried.runId);
    expect(seen[3]).toBe('One\nTwo, edited');
    expect((await chatOf(at.hub, id)).branch).toEqual([first.runId, retried.runId]);
    await at.hub.request('PATCH', `/api/chats/${id}`, { head: second.runId });
    expect((await chatOf(at.hub, id)).branch).toEqual([first.runId, second.runId]);
    expect((await at.hub.request('PATCH', `/api/chats/${id}`, { head: 'x' })).status).toBe(404);
  });

  it('takes a message in mid-run into the next step', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = testTool('slow', async () => (await held, 'Ready.'), true);
    const config = AGENT.replace('"sources"', '"slow"');
    await using at = await stage([call('slow'), say('In French.')], config, {
      extensions: [{ tools: [slow] }],
    });
    const id = await begin(at.hub);
    const { body } = await at.hub.request('POST', `/api/chats/${id}/messages`, { message: 'Go' });
    await expect.poll(() => at.model.requests.length).toBe(1);
    const joined = (await at.hub.request('POST', `/api/chats/${id}/messages`, { message: 'In French!' }))
      .body;
    expect(joined).toEqual({ runId: body.runId, turn: 1, joined: true });
    const edit = { message: 'x', previous: null };
    expect((await at.hub.request('POST', `/api/chats/${id}/messages`, edit)).status).toBe(409);
    release();
    await ended(at.hub, body.runId);
    expect(at.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', text: 'In French!' });
  });

  it('continues after a cancelled turn, with the unanswered call', async () => {
    const slow = testTool(
      'slow',
      (_, { context }) =>
        new Promise((_resolve, reject) =>
          context.signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
    );
    const config = `${AGENT.replace('"sources"', '"slow"')}tool_permission = "never"\n`;
    await using at = await stage([call('slow'), say('Fine.')], config, { extensions: [{ tools: [slow] }] });
    const id = await begin(at.hub);
    const { body } = await at.hub.request('POST', `/api/chats/${id}/messages`, { message: 'Go' });
    await expect
      .poll(async () => (await at.hub.request('GET', `/api/runs/${body.runId}`)).body.steps)
      .toBe(1);
    const cancelled = (await at.hub.request('POST', `/api/chats/${id}/cancel`)).body;
    expect(cancelled.run).toMatchObject({ id: body.runId, state: 'cancelled' });
    await ask(at.hub, id, 'Never mind.');
    const { messages } = at.model.requests.at(-1) ?? { messages: [] };
    expect(messages.find(({ role }) => role === 'tool')?.text).toContain('CANCELLED');
    expect((await at.hub.request('POST', `/api/chats/${id}/cancel`)).body).toEqual({ run: null });
  });

  it('hands files to the model', async () => {
    await using at = await stage([say('A dot.')], AGENT);
    const id = await begin(at.hub);
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
    await ask(at.hub, id, [
      { type: 'text', text: 'What is this?' },
      { type: 'file', mediaType: 'image/png', data: pixel, name: 'dot.png' },
      {
        type: 'file',
        mediaType: 'text/csv',
        data: Buffer.from('a,b\n1,2').toString('base64'),
        name: 'x.csv',
      },
    ]);
    const sent = JSON.stringify(at.model.requests[0]?.body);
    expect(sent).toContain(pixel);
    expect(sent).toContain('a,b\\n1,2');
    expect(sent).toContain('x.csv');
  });

  it('ends the streams of those who follow it when it is erased', async () => {
    await using at = await stage([say('Hello.')], AGENT);
    const used = await begin(at.hub);
    await ask(at.hub, used, 'Hi');
    for (const id of [used, await begin(at.hub)]) {
      const following = await fetch(`${at.hub.url}/api/chats/${id}/events`, {
        headers: { authorization: `Bearer ${at.hub.token}` },
        signal: AbortSignal.timeout(20_000),
      });
      await at.hub.request('DELETE', `/api/chats/${id}`);
      await expect(following.text()).resolves.toBeDefined();
    }
  });

  it('is exported as Markdown and JSON, and erased', async () => {
    await using at = await stage([call('sources'), say('None\n\n```\ncode\n```')], AGENT);
    const id = await begin(at.hub);
    const { runId } = await ask(at.hub, id, 'Sources?');
    const markdown = (await at.hub.request('GET', `/api/chats/${id}/export`)).body;
    expect(markdown).toMatchObject({ mediaType: 'text/markdown' });
    expect(markdown.content).toMatch(/^# Sources\?\n\n## You\n\nSources\?\n\n## ada\n\nCalled `sources`:/);
    expect(markdown.content).toContain('```\ncode\n```');
    const json = (await at.hub.request('GET', `/api/chats/${id}/export?format=json`)).body;
    expect(JSON.parse(json.content).runs[0].id).toBe(runId);
    const run = (await at.hub.request('GET', `/api/runs/${runId}/export`)).body;
    expect(run.content).toContain('Sources?');
    expect((await at.hub.request('DELETE', `/api/chats/${id}`)).status).toBe(204);
    expect((await at.hub.request('GET', `/api/chats/${id}`)).status).toBe(404);
    expect((await at.hub.request('GET', `/api/runs/${runId}`)).status).toBe(404);
  });

  it('goes on without a turn that was erased', async () => {
    await using at = await stage([say('One.'), say('Two.'), say('Three.'), say('Four.')], AGENT);
    const id = await begin(at.hub);
    const send = async (message: string): Promise<string> => (await ask(at.hub, id, message)).runId;
    const [first, second, third] = [await send('a'), await send('b'), await send('c')];
    await at.hub.request('DELETE', `/api/runs/${first}`);
    await at.hub.request('DELETE', `/api/runs/${third}`);
    const fourth = await send('d');
    const { branch, history } = await chatOf(at.hub, id);
    expect(branch).toEqual([second, fourth]);
    expect(history.at(-1)).toMatchObject({ state: 'completed', text: 'Four.' });
    const last = at.model.requests.at(-1);
    expect(last && userText(last).split('\n')).toEqual(['b', 'd']);
  });

  it('shows its followers the turn after one that was erased', async () => {
    await using at = await stage([say('One, and a little more.'), say('Two.')], AGENT);
    const id = await begin(at.hub);
    const watched = watch(at.hub, id, 2);
    const { runId } = await ask(at.hub, id, 'a');
    await at.hub.request('DELETE', `/api/runs/${runId}`);
    await ask(at.hub, id, 'b');
    const turns = (await watched).flatMap(({ event }) => (event.type === 'turn-started' ? [event.turn] : []));
    expect(turns).toEqual([1, 2]);
  });

  it('resumes no earlier turn while another one is under way', async () => {
    await using at = await stage([say('One.'), hang()], AGENT);
    using store = storeOf(at);
    const id = await begin(at.hub);
    const { runId } = await ask(at.hub, id, 'a');
    await store.run("UPDATE runs SET state = 'interrupted'");
    await at.hub.request('POST', `/api/chats/${id}/messages`, { message: 'b' });
    await expect.poll(() => at.model.requests.length).toBe(2);
    expect(await at.hub.request('POST', `/api/runs/${runId}/resume`)).toMatchObject({ status: 409 });
    const { history } = await chatOf(at.hub, id);
    expect(history.map(({ state }: Event) => state)).toEqual(['interrupted', 'running']);
  });

  it('says which agent is unknown, and which chat', async () => {
    await using at = await stage([], AGENT);
    expect((await at.hub.request('POST', '/api/chats', { agent: 'nobody' })).status).toBe(404);
    expect((await at.hub.request('GET', '/api/chats/none/events')).body).toContain('event: error');
    expect((await at.hub.request('POST', '/api/chats/none/messages', { message: 'x' })).status).toBe(404);
  });
});
