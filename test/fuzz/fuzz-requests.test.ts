import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { campaignSize } from '../campaign.ts';
import { canReadFigures, figuresOf } from '../process-figures.ts';
import { type FuzzTarget, startTarget } from './fuzz-target.ts';
import { httpRequests } from './http-requests.ts';
import { type Era, mcpMessages, mcpRequest, needsAnswer, withId } from './mcp-messages.ts';
import type { FuzzAnswer } from './send-request.ts';
import { openSocketClient, type SocketClient } from './socket-client.ts';
import { type StallWatch, watchStalls } from './stall-watch.ts';

const COUNT = Number(process.env['ZOO_FUZZ'] ?? campaignSize(1500, 100_000));
const SEED = Number(process.env['ZOO_SEED'] ?? Date.now() % 2 ** 31);
const AT_ONCE = 8;
const BATCH = 400;
const MAX_PROBLEMS = 25;
/** Nobody may hold up the others for this long, beyond what a process that does nothing is late by. */
const MAX_STALL_MS = 1000;
const QUARTERS = 4;

/** One request, however it travels. */
interface Work {
  say: string;
  /** Says what is wrong with the answer; null if nothing is. */
  run(): Promise<string | null>;
}

it(
  `answers ${COUNT} generated requests over HTTP, MCP and the bridge's socket`,
  { timeout: 3_600_000 },
  async () => {
    console.log(`seed ${SEED} (ZOO_SEED chooses another)`);
    await using target = await startTarget(['--trust-all']);
    const sources = await createSources(target);
    const inFlight = new Set<Work>();
    await using stalls = await watchStalls(target.url, inFlight);
    const problems: string[] = [];
    const memory: number[] = [];
    for (let done = 0, batch = 0; done < COUNT && problems.length < MAX_PROBLEMS; batch++) {
      const works = sources.sample(SEED + batch, Math.min(BATCH, COUNT - done));
      done += works.length;
      await runAll(works, inFlight, problems);
      if (!target.isRunning()) problems.push('the hub has exited');
      if (canReadFigures && target.isRunning()) memory.push(figuresOf(target.pid).megabytes);
    }
    sources.close();
    const stall = await worstAlone(stalls);
    const quarters = quartersOf(memory);
    console.log(
      `memory per quarter: ${quarters.join(', ')} MB; control late by at most ${Math.round(stalls.controlMs)} ms; ` +
        `hub held up for at most ${Math.round(stall.ms)} ms, alone ${Math.round(stall.alone)} ms, by ${stall.say}`,
    );
    expect(problems).toEqual([]);
    expect(stall.alone).toBeLessThan(MAX_STALL_MS);
    const [, second = 0, , last = 0] = quarters;
    // A short run has not yet reached the memory that it needs.
    const limit = memory.length >= QUARTERS * 4 ? second * 1.3 + 40 : Infinity;
    expect(last).toBeLessThan(limit);
  },
);

async function runAll(works: readonly Work[], inFlight: Set<Work>, problems: string[]): Promise<void> {
  const queue = [...works];
  const next = async (): Promise<void> => {
    for (let work = queue.shift(); work && problems.length < MAX_PROBLEMS; work = queue.shift()) {
      inFlight.add(work);
      const problem = await work.run().catch((error: unknown) => String(error));
      inFlight.delete(work);
      if (problem !== null) problems.push(`${work.say} → ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** Several were under way during the longest stall: each is sent again by itself to see whose it was. */
async function worstAlone(stalls: StallWatch<Work>) {
  const { ms, during } = stalls.take();
  let worst = { alone: 0, say: 'nobody' };
  for (const work of during) {
    await work.run().catch(() => null);
    const alone = stalls.take().ms;
    if (alone >= worst.alone) worst = { alone, say: work.say };
  }
  return { ms, ...worst };
}

function quartersOf(values: readonly number[]): number[] {
  const size = values.length / QUARTERS;
  return Array.from({ length: QUARTERS }, (_, n) => {
    const part = values.slice(
      Math.floor(n * size),
      Math.max(Math.floor((n + 1) * size), Math.floor(n * size) + 1),
    );
    return part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
  });
}

async function createSources(target: FuzzTarget) {
  const http = httpRequests(target.openapi, target.tools).map((request): Work => ({
    say: brief(`${request.method} ${request.path} ${JSON.stringify(request.headers)} ${request.body ?? ''}`),
    run: async () => wrongWith(await target.send(request)),
  }));
  const overMcp = await Promise.all((['legacy', 'modern'] as const).map((era) => overHttp(target, era)));
  const sockets = (['legacy', 'modern'] as const).map((era) => overSocket(target, era));
  const works = fc.oneof(
    { weight: 6, arbitrary: http },
    ...overMcp.map((arbitrary) => ({ weight: 1, arbitrary })),
    ...sockets.map(({ works: arbitrary }) => ({ weight: 1, arbitrary })),
  );
  return {
    sample: (seed: number, numRuns: number) => fc.sample(works, { seed, numRuns }),
    close: () => sockets.forEach((each) => each.close()),
  };
}

let ids = 0;
const nextId = (): string => `f${(ids += 1)}`;

async function overHttp(target: FuzzTarget, era: Era): Promise<fc.Arbitrary<Work>> {
  let session = era === 'legacy' ? await openSession(target) : '';
  return mcpMessages(era, target.tools).map((message) => ({
    say: brief(`MCP over HTTP (${era}) ${message.line}`),
    async run() {
      const line = withId(message, nextId());
      const answer = await target.send(mcpRequest(era, session, message, line));
      if (answer.status === 404 && era === 'legacy') session = await openSession(target);
      return wrongWith(answer);
    },
  }));
}

async function openSession(target: FuzzTarget): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'fuzz', version: '1' },
  };
  const line = JSON.stringify({ jsonrpc: '2.0', id: nextId(), method: 'initialize', params });
  const message = { method: 'initialize', name: undefined, line };
  const { headers } = await target.send({ ...mcpRequest('legacy', '', message, line), path: '/mcp' });
  return String(headers['mcp-session-id']);
}

function overSocket(target: FuzzTarget, era: Era) {
  let opening: Promise<SocketClient> | null = null;
  const opened = async (): Promise<SocketClient> => {
    const client = await opening;
    if (client && !client.closed) return client;
    opening = openSocketClient(target);
    return opening;
  };
  const works = mcpMessages(era, target.tools).map((message): Work => ({
    say: brief(`socket (${era}) ${message.line}`),
    async run() {
      const client = await opened();
      const id = nextId();
      const line = withId(message, id);
      const answered = client.send(line, needsAnswer(line, id) ? id : null);
      // Whatever it was, the connection is either closed or goes on.
      const probe = nextId();
      await client.send(JSON.stringify({ jsonrpc: '2.0', id: probe, method: 'ping' }), probe);
      return wrongRpc((await answered) ?? '');
    },
  }));
  return { works, close: () => void opening?.then((client) => client.close()) };
}

function wrongWith({ status, headers, body }: FuzzAnswer): string | null {
  if (status >= 500 || status < 200) return `${status} ${brief(body)}`;
  if (String(headers['content-type']).includes('json') && body !== '') {
    try {
      JSON.parse(body);
    } catch {
      return `${status}, but no JSON: ${brief(body)}`;
    }
  }
  return wrongRpc(body);
}

/** Internal errors, and stack traces. */
function wrongRpc(body: string): string | null {
  const wrong = /"code":\s*(-32603|"INTERNAL"|"internal")|\\n +at .*\.js:\d+/.test(body);
  return wrong ? brief(body) : null;
}

const brief = (text: string): string =>
  text.length > 600 ? `${text.slice(0, 600)}… (${text.length})` : text;
