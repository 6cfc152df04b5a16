import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { call, connect, stage, type Way, WAYS } from '../mcp/mcp-clients.ts';
import { type RunningHub, startHub } from '../start-hub.ts';
import { tempFolder } from '../temp-folder.ts';
import { EVERYTHING, fixture, isAlive, stdioServer, toolsWith } from './upstream-servers.ts';
import { PATIENCE } from '../patience.ts';

const trustAll = { trustAll: true };
const A = 'test://a';
const resourcesOf = (era: Way['era']) => [`test://${era}/a`, `test://${era}/b`] as const;

/** Collects updates of these resources until stopped. */
async function subscribe(client: Client, { era }: Way, uris: string[]) {
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri);
  });
  if (era === 'modern') {
    const stream = await client.listen({ resourceSubscriptions: uris });
    return { heard, stop: () => stream.close() };
  }
  for (const uri of uris) await client.subscribeResource({ uri });
  const stop = async () => {
    for (const uri of uris) await client.unsubscribeResource({ uri });
  };
  return { heard, stop };
}

/** One hub and one process of each server, for all the ways that clients come. */
let hub: RunningHub;

beforeAll(async () => {
  const settings = (era: Way['era']) => ({ tools: ['touch'], resources: resourcesOf(era) });
  const config = [
    stdioServer('everything', [EVERYTHING]),
    fixture('legacy', 'legacy', settings('legacy')),
    fixture('modern', 'modern', settings('modern')),
  ];
  hub = await startHub({ 'zoo.toml': config.join('') }, trustAll);
});
afterAll(() => hub[Symbol.asyncDispose]());

describe.each(WAYS)('over $transport, $era', (way) => {
  it('reports updates of the official server to a client', async () => {
    await using opened = await connect(hub, way);
    await toolsWith(opened.client, 'everything__echo');
    const uri = 'demo://resource/dynamic/text/1';
    const { heard, stop } = await subscribe(opened.client, way, [uri]);
    // It reports once when it is switched on, and then every few seconds.
    await sleep(200);
    await call(opened.client, 'everything__toggle-subscriber-updates');
    await vi.waitFor(() => expect(heard).toContain(uri), PATIENCE);
    await stop();
    // Off again, for the next client.
    await call(opened.client, 'everything__toggle-subscriber-updates');
  });

  it.each(['legacy', 'modern'] as const)(
    'a client gets updates only while subscribed, from a %s server',
    async (era) => {
      const touch = `${era}__touch`;
      const [first, second] = resourcesOf(era);
      await using opened = await connect(hub, way);
      await toolsWith(opened.client, touch);
      const { heard, stop } = await subscribe(opened.client, way, [first]);
      await vi.waitFor(async () => {
        await call(opened.client, touch);
        expect(heard).toContain(first);
      }, PATIENCE);
      expect(heard).not.toContain(second);
      await stop();
      // The end of a stream is not confirmed: an update may still be on its way.
      await vi.waitFor(async () => {
        heard.length = 0;
        await call(opened.client, touch);
        await sleep(200);
        expect(heard).toEqual([]);
      }, PATIENCE);
    },
  );
});

describe('a server', () => {
  it('gets one subscription for many clients, removed with the last of them', async () => {
    await using data = await tempFolder({ notes: '' });
    const notes = join(data.path, 'notes');
    const config = fixture('fixture', 'legacy', { notes, tools: ['touch'], resources: [A] });
    await using hub = await startHub({ 'zoo.toml': config }, trustAll);
    const said = (): string[] =>
      readFileSync(notes, 'utf8')
        .split('\n')
        .filter((line) => line.includes('subscribed'));
    const clients = await Promise.all(WAYS.map((way) => connect(hub, way)));
    for (const { client } of clients.slice(0, 1)) await toolsWith(client, 'fixture__touch');
    const heard = await Promise.all(
      clients.map(({ client }, n) => subscribe(client, WAYS[n] ?? never(), [A])),
    );
    await vi.waitFor(() => expect(said()).toEqual([`subscribed ${A}`]), PATIENCE);
    await sleep(300);
    await call(clients[0]?.client ?? never(), 'fixture__touch');
    await vi.waitFor(() => expect(heard.map((each) => each.heard)).toEqual(heard.map(() => [A])), PATIENCE);
    for (const [n, each] of clients.entries()) {
      // An HTTP session outlives its client, which may reconnect.
      if (n === 0) await heard[n]?.stop();
      await each[Symbol.asyncDispose]();
    }
    await vi.waitFor(() => expect(said()).toEqual([`subscribed ${A}`, `unsubscribed ${A}`]), PATIENCE);
  });

  it('keeps running while a client is subscribed, and is restarted when it dies', async () => {
    const way = { transport: 'http', era: 'legacy' } as const;
    const settings = { tools: ['touch'], resources: [A] };
    const config = fixture('fixture', 'legacy', settings, 'idle_seconds = 0.2');
    await using opened = await stage(way, { 'zoo.toml': config }, trustAll);
    await toolsWith(opened.client, 'fixture__touch');
    const { heard, stop } = await subscribe(opened.client, way, [A]);
    const who = async (): Promise<number> => Number((await call(opened.client, 'fixture__who')).text);
    const first = await who();
    await sleep(800);
    expect(isAlive(first)).toBe(true);
    process.kill(first, 'SIGKILL');
    // Changes in between were missed.
    await vi.waitFor(() => expect(heard).toEqual([A]), PATIENCE);
    const second = await who();
    expect(second).not.toBe(first);
    await stop();
    await vi.waitFor(() => expect(isAlive(second)).toBe(false), PATIENCE);
  });

  it('reports nothing to an agent that has none of its tools', async () => {
    const way = { transport: 'http', era: 'modern' } as const;
    const config = [
      fixture('fixture', 'legacy', { tools: ['touch'], resources: [A] }),
      '[agents.reader]\nsystem_prompt = "x"\ntools = ["fixture.touch"]\n',
      '[agents.other]\nsystem_prompt = "x"\ntools = ["search"]\n',
    ].join('');
    await using hub = await startHub({ 'zoo.toml': config }, trustAll);
    await using reader = await connect(hub, way, { agent: 'reader' });
    await using other = await connect(hub, way, { agent: 'other' });
    await toolsWith(reader.client, 'fixture__touch');
    const theirs = await subscribe(other.client, way, [A]);
    const ours = await subscribe(reader.client, way, [A]);
    await vi.waitFor(async () => {
      await call(reader.client, 'fixture__touch');
      expect(ours.heard).toContain(A);
    }, PATIENCE);
    expect(theirs.heard).toEqual([]);
  });
});

function never(): never {
  throw new Error('there is none');
}
