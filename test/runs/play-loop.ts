import { listProviders } from '../../src/runner/models/configured-providers.ts';
import { openModel } from '../../src/runner/models/sdk/open-model.ts';
import { runLoop } from '../../src/runner/loop/run-loop.ts';
import type { RunLoopOptions, RunOutcome } from '../../src/runner/loop/run-parts.ts';
import type { RunEvent } from '../../src/contract/run.ts';
import type { ContentBlock, ToolDescriptor } from '../../src/contract/tool.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import type { Step } from '../fake-model/script.ts';

export const formats = {
  anthropic: { variable: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL', model: 'claude-sonnet-4-5' },
  openai: { variable: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL', model: 'gpt-5' },
  google: { variable: 'GEMINI_API_KEY', address: 'GOOGLE_GEMINI_BASE_URL', model: 'gemini-2.5-flash' },
  ollama: { variable: 'NONE', address: 'OLLAMA_HOST', model: 'qwen3' },
};
export type Format = keyof typeof formats;

export const weather: ToolDescriptor = {
  name: 'weather',
  displayName: 'weather',
  title: 'Weather',
  description: 'The weather of a city',
  origin: 'script',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

export interface Played {
  outcome: RunOutcome;
  events: RunEvent[];
  journal: string[];
  requests: Awaited<ReturnType<typeof startFakeModel>>['requests'];
  problems: string[];
  called: unknown[];
}

/** Plays a run against a fake model of one vendor. `content` is what its tool returns. */
export async function play(
  steps: readonly Step[],
  format: Format = 'anthropic',
  { content, ...more }: Partial<RunLoopOptions> & { content?: ContentBlock[] } = {},
  facts: { contextWindow?: number; images?: boolean } = {},
  modelCount: 1 | 2 = 1,
): Promise<Played> {
  await using fake = await startFakeModel(steps);
  const { variable, address, model } = formats[format];
  const env = { [variable]: 'sk-test', [address]: fake.url };
  const provider = listProviders({}, env).find(({ name }) => name === format)?.provider;
  if (!provider) throw new Error(`no provider ${format}`);
  const events: RunEvent[] = [];
  const journal: string[] = [];
  const called: unknown[] = [];
  const open = async () => ({ model: await openModel(provider, model, facts), price: () => 0.001 });
  const outcome = await runLoop({
    models: modelCount === 1 ? [open] : [open, open],
    system: 'You are Ada.',
    history: [{ role: 'user', parts: [{ type: 'text', text: 'What is the weather\nin Oslo?' }] }],
    tools: {
      offered: [weather],
      searched: [],
      withheld: new Map([['send', "'send' needs approval, but this run has nobody to ask."]]),
      approval: () => 'allow',
      ask: () => Promise.reject(new Error('nobody to ask')),
      call: async (_, args) => {
        called.push(args);
        return { content: content ?? [{ type: 'text', text: `Sunny in ${String(args.city)}.` }] };
      },
    },
    limits: { maxTurns: 6, maxOutputTokens: 500, wallMs: 20_000 },
    reserve: async () => ({ settle: () => undefined }),
    waitingMessages: async () => [],
    gate: async () => undefined,
    journal: {
      answered: async (step) => void journal.push(`answered ${step}`),
      callStarted: async (step, { name }) => void journal.push(`started ${step} ${name}`),
      callEnded: async (step, { name }) => void journal.push(`ended ${step} ${name}`),
      joined: async (step) => void journal.push(`joined ${step}`),
      shortened: async (step) => void journal.push(`shortened ${step}`),
    },
    emit: (event) => events.push(event),
    countTokens: (text) => Math.ceil(text.length / 4),
    now: () => performance.now(),
    sleep: async () => undefined,
    signal: new AbortController().signal,
    ...more,
  });
  await outcome.store?.();
  return { outcome, events, journal, requests: fake.requests, problems: fake.problems, called };
}
