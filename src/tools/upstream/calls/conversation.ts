import { randomUUID } from 'node:crypto';
import { ZooError } from '../../../contract/errors.ts';
import type { ClientAnswer, ClientQuestion, ToolCall } from '../../../contract/tool.ts';
import { createDeadline } from './deadline.ts';
import type { Listener } from '../connection/link.ts';

type Result = Record<string, unknown>;

interface OpenQuestion {
  question: ClientQuestion;
  answer(given: ClientAnswer | null): void;
  fail(error: unknown): void;
}

/**
 * One request to a server, which must not be made twice. A caller that is asked by being answered comes back for each
 * answer with another call: the request waits in between, and goes on with the call that brings the answer.
 */
export interface Conversation {
  key: string;
  /** Until the answer; or until this round of the call ends with a question, when it rejects. */
  attend(call: ToolCall): Promise<Result>;
  /** Whether it waits for an answer that another call is to bring. */
  isSuspended(): boolean;
  end(reason: ZooError): void;
}

export interface ConversationOptions {
  /** What to begin with in errors. */
  server: string;
  /** How long the server may be silent while nobody is asked. */
  timeoutMs: number;
  /** How long an answer may take that another call is to bring. */
  answerMs: number;
  onOver(): void;
}

export function createConversation(
  begin: (listener: Listener) => Promise<Result>,
  { server, timeoutMs, answerMs, onOver }: ConversationOptions,
): Conversation {
  const key = randomUUID();
  const stop = new AbortController();
  const open = new Map<string, OpenQuestion>();
  let asked = 0;
  let attending: ToolCall | null = null;
  let expiry: NodeJS.Timeout | undefined;
  let onOpened: () => void = () => undefined;
  const deadline = createDeadline(timeoutMs, () =>
    end(
      new ZooError('timeout', `${server} did not answer within ${timeoutMs / 1000} s. It may have happened.`),
    ),
  );

  function end(reason: ZooError): void {
    stop.abort(reason);
    for (const { fail } of open.values()) fail(reason);
    open.clear();
  }

  function put(question: ClientQuestion): Promise<ClientAnswer | null> {
    stop.signal.throwIfAborted();
    const name = `${key}.${(asked += 1)}`;
    return new Promise((resolve, reject) => {
      open.set(name, { question: { ...question, optional: true }, answer: resolve, fail: reject });
      deadline.pause();
      onOpened();
    });
  }

  const listener: Listener = {
    signal: stop.signal,
    begun: () => deadline.resume(),
    async ask(questions) {
      const answers = await Promise.all(
        Object.entries(questions).map(
          async ([name, question]) => [name, withoutAnswer(question, await put(question))] as const,
        ),
      );
      return Object.fromEntries(answers);
    },
    progress(done, total, message) {
      deadline.restart();
      attending?.progress(done, total, message);
    },
    log: (level, message) => attending?.log(level, message),
  };

  // A server's start has a time limit of its own, and whose turn it is depends on others.
  deadline.pause();
  const outcome = begin(listener).finally(() => {
    deadline.stop();
    clearTimeout(expiry);
    onOver();
  });
  // Whoever attends hears of it; between two rounds nobody does.
  outcome.catch(() => undefined);

  function deliver(answers: Readonly<Record<string, ClientAnswer | null>>): void {
    for (const [name, { answer }] of open) {
      const given = answers[name];
      if (given === undefined) continue;
      open.delete(name);
      answer(given);
    }
    if (open.size === 0) deadline.resume();
  }

  async function attend(call: ToolCall): Promise<Result> {
    clearTimeout(expiry);
    attending = call;
    const { signal } = call.context;
    let suspending = false;
    const cancelled = (): void => {
      if (!suspending) end(new ZooError('tool_error', 'The call was cancelled.'));
    };
    signal.addEventListener('abort', cancelled, { once: true });
    if (signal.aborted) cancelled();
    if (call.answered) deliver(call.answered);
    try {
      for (;;) {
        const opened = new Promise<'asked'>((resolve) => {
          onOpened = () => resolve('asked');
          if (open.size > 0) resolve('asked');
        });
        const happened = await Promise.race([outcome, opened]);
        if (happened !== 'asked') return happened;
        const questions = Object.fromEntries([...open].map(([name, { question }]) => [name, question]));
        suspending = call.answered !== undefined;
        const answers = await call.ask(questions).catch((error: unknown) => {
          if (suspending || signal.aborted) throw error;
          // Asked in mid-call, and it went wrong: that is for the server to hear, and to go on without.
          for (const name of Object.keys(questions)) open.get(name)?.fail(error);
          for (const name of Object.keys(questions)) open.delete(name);
          return {};
        });
        suspending = false;
        deliver(answers);
      }
    } catch (error) {
      if (suspending && open.size > 0) {
        const late = `Nobody answered ${server} within ${answerMs / 60_000} minutes.`;
        expiry = setTimeout(() => end(new ZooError('timeout', late)), answerMs).unref();
      }
      throw error;
    } finally {
      signal.removeEventListener('abort', cancelled);
      attending = null;
      onOpened = () => undefined;
    }
  }

  return { key, attend, isSuspended: () => attending === null && open.size > 0, end };
}

/** What a server is told when nobody can answer. */
function withoutAnswer(question: ClientQuestion, answer: ClientAnswer | null): ClientAnswer {
  if (answer !== null) return answer;
  if (question.method === 'elicitation/create') return { action: 'cancel' };
  if (question.method === 'roots/list') return { roots: [] };
  throw new ZooError('tool_error', 'The client that calls offers no sampling.');
}

/** The keys of the conversations that these answers may belong to. */
export function keysIn(answered: Readonly<Record<string, ClientAnswer>>): string[] {
  const keys = Object.keys(answered).flatMap((name) => /^([0-9a-f-]{36})\.\d+$/.exec(name)?.[1] ?? []);
  return [...new Set(keys)];
}
