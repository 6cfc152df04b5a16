import type { Tool, ToolCall } from '../../src/contract/tool.ts';
import { startFakeModel, type FakeModel } from '../fake-model/fake-model.ts';
import type { Step } from '../fake-model/script.ts';
import { type RunningHub, startHub, type StartOptions } from '../start-hub.ts';

// oxlint-disable-next-line no-explicit-any -- tests look into events of every shape
export type Event = any;

export interface Stage extends AsyncDisposable {
  model: FakeModel;
  hub: RunningHub;
}

const KEY = 'sk-secret-key-of-tests';

/** A hub whose Anthropic is a fake model on loopback. */
export async function stage(
  steps: readonly Step[],
  config: string,
  options: StartOptions & { maxRequests?: number } = {},
): Promise<Stage> {
  const { maxRequests = 100, ...start } = options;
  const model = await startFakeModel(steps, { maxRequests });
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.url };
  const hub = await startHub({}, { own: { 'zoo.toml': config }, env, ...start });
  return {
    model,
    hub,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

/** The events of a run to its end, after a number. */
export async function eventsOf(hub: RunningHub, id: string, after = 0): Promise<Event[]> {
  const { body } = await hub.request('GET', `/api/runs/${id}/events?after=${after}`);
  return parseEvents(String(body));
}

function parseEvents(text: string): Event[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
}

/** Follows a stream that does not end by itself. */
export async function* openStream(hub: RunningHub, path: string, signal: AbortSignal): AsyncGenerator<Event> {
  const response = await fetch(hub.url + path, {
    headers: { authorization: `Bearer ${hub.token}` },
    signal,
  });
  let rest = '';
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      rest += chunk;
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield* parseEvents(block);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** A tool that a test watches. It declares nothing of itself unless told so. */
export function testTool(
  name: string,
  execute: (args: Record<string, unknown>, call: ToolCall) => Promise<string>,
  readOnlyHint = false,
): Tool {
  return {
    descriptor: {
      name,
      displayName: name,
      title: name,
      description: `Test tool ${name}`,
      origin: 'builtin',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    execute: async (args, call) => ({ content: [{ type: 'text', text: await execute(args, call) }] }),
  };
}
