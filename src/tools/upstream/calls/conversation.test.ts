import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { callContext } from '../../../../test/call-context.ts';
import { ZooError } from '../../../contract/errors.ts';
import type { ClientAnswer, ToolCall } from '../../../contract/tool.ts';
import { createConversation, keysIn } from './conversation.ts';
import type { Listener } from '../connection/link.ts';
import { PATIENCE } from '../../../../test/patience.ts';

const options = { server: "The server 'x'", timeoutMs: 60_000, answerMs: 60_000, onOver: () => undefined };
const question = { method: 'elicitation/create', params: { message: '?' } } as const;
const asking = async (listener: Listener): Promise<Record<string, unknown>> => {
  listener.begun();
  return { heard: (await listener.ask({ who: question }))['who'] };
};

/** A call of a client that answers by calling again. */
function round(answered: Record<string, ClientAnswer> = {}) {
  const stop = new AbortController();
  const asked: string[] = [];
  const call: ToolCall = {
    context: callContext({ signal: stop.signal }),
    answered,
    progress: () => undefined,
    elicit: async () => null,
    log: () => undefined,
    ask(questions) {
      asked.push(...Object.keys(questions));
      stop.abort();
      return Promise.reject(new ZooError('tool_error', 'given up to ask'));
    },
  };
  return { call, asked };
}

describe('a request with questions', () => {
  it('stays open between the rounds of its caller, and is sent once', async () => {
    const begin = vi.fn<typeof asking>(asking);
    const conversation = createConversation(begin, options);
    const first = round();
    await expect(conversation.attend(first.call)).rejects.toThrow('given up to ask');
    expect(conversation.isSuspended()).toBe(true);
    const [name = ''] = first.asked;
    expect(keysIn({ [name]: {}, 'question-1': {} })).toEqual([conversation.key]);
    const second = round({ [name]: { action: 'accept' } });
    expect(await conversation.attend(second.call)).toEqual({ heard: { action: 'accept' } });
    expect(second.asked).toEqual([]);
    expect(begin).toHaveBeenCalledOnce();
  });

  it('ends when no answer comes in time', async () => {
    const onOver = vi.fn<() => void>();
    const conversation = createConversation(asking, { ...options, answerMs: 30, onOver });
    const first = round();
    await expect(conversation.attend(first.call)).rejects.toThrow('given up to ask');
    await vi.waitFor(() => expect(onOver).toHaveBeenCalled(), PATIENCE);
    expect(conversation.isSuspended()).toBe(false);
  });

  it('does not time out while a person is asked, but does afterwards', async () => {
    const slow = async (listener: Listener): Promise<Record<string, unknown>> => {
      await asking(listener);
      return new Promise((_resolve, reject) => {
        listener.signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    };
    const conversation = createConversation(slow, { ...options, timeoutMs: 60 });
    const answered = vi.fn<() => void>();
    const call: ToolCall = {
      ...round().call,
      context: callContext(),
      async ask(questions) {
        await sleep(150);
        answered();
        return Object.fromEntries(Object.keys(questions).map((name) => [name, { action: 'accept' }]));
      },
    };
    delete call.answered;
    await expect(conversation.attend(call)).rejects.toThrow('aborted');
    expect(answered).toHaveBeenCalled();
  });

  it('reports to the server that the client cannot sample', async () => {
    const sampling = (listener: Listener): Promise<Record<string, unknown>> =>
      listener.ask({ s: { method: 'sampling/createMessage', params: {} } });
    const silent: ToolCall = {
      ...round().call,
      context: callContext(),
      ask: async (questions) => Object.fromEntries(Object.keys(questions).map((name) => [name, null])),
    };
    await expect(createConversation(sampling, options).attend(silent)).rejects.toThrow(
      'does not support sampling',
    );
  });
});
