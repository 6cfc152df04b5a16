import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Link, LinkEnd } from '../connection/link.ts';
import { createUpstreamServer } from './upstream-server.ts';

function fakeLink(): Link {
  let end: (why: LinkEnd) => void = () => undefined;
  const closed = new Promise<LinkEnd>((resolve) => {
    end = resolve;
  });
  return {
    era: 'legacy',
    title: null,
    pid: null,
    said: () => '',
    lists: async () => ({ tools: [], prompts: [], resources: [], templates: [] }),
    request: async () => ({}),
    complete: async () => [],
    watch: async () => undefined,
    closed,
    close: async () => end({ why: null }),
  };
}

const createServer = (open: () => Promise<Link> = async () => fakeLink()) =>
  createUpstreamServer({
    name: 'x',
    open,
    onOpen: () => undefined,
    onState: () => undefined,
    now: () => Date.now(),
  });

const never = new AbortController().signal;

it('keeps a called server for its full idle time, even if it is listed afterwards', async () => {
  const server = createServer();
  (await server.lease(5000, never)).release();
  (await server.lease(30, never)).release();
  await sleep(150);
  expect(server.facts().state).toBe('ready');
  await server.stop();
});

it('stops a server that was only listed after the shorter idle time', async () => {
  const server = createServer();
  (await server.lease(30, never)).release();
  await expect.poll(() => server.facts().state).toBe('idle');
  await server.stop();
});
