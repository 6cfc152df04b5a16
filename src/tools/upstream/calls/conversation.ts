import { randomUUID } from 'node:crypto';
import { ZooError } from '../../../contract/errors.ts';
import type { ClientAnswer, ClientQuestion, ToolCall } from '../../../contract/tool.ts';
import type { Listener } from '../connection/link.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { createOpenQuestions, type OpenQuestions } from './open-questions.ts';

type Result = Record<string, unknown>;

/**
 * One request to a server, which must not be sent twice. Clients of the newest revision answer a question by calling
 * again: the request stays open between these calls, and continues with the one that brings the answer.
 */
export interface Conversation {
  key: string;
  /** Resolves with the result; rejects when this round of the call ends with a question. */
  attend(call: ToolCall): Promise<Result>;
  /** Whether it waits for an answer that another call must bring. */
  isSuspended(): boolean;
  end(reason: ZooError): void;
}

export interface ConversationOptions {
  /** The start of error messages, such as `The server 'x'`. */
  server: string;
  /** How long the server may be silent while no question is open. */
  timeoutMs: number;
  /** How long to wait for a call that brings an answer. */
  answerMs: number;
  onOver(): void;
}

export function createConversation(
  begin: (listener: Listener) => Promise<Result>,
  { server, timeoutMs, answerMs, onOver }: ConversationOptions,
): Conversation {
  const key = randomUUID();
  const stop = new AbortController();
  const questions = createOpenQuestions(key);
  let attending: ToolCall | null = null;
  let expiry: NodeJS.Timeout | undefined;
  const deadline = createDeadline(timeoutMs, () =>
    end(
      new ZooError(
        'timeout',
        `${server} did not answer within ${timeoutMs / 1000} s. The call may have taken effect.`,
      ),
    ),
  );

  function end(reason: ZooError): void {
    stop.abort(reason);
    questions.failAll(reason);
  }

  // Paused at first: starting the server has a time limit of its own, and the call may have to queue.
  deadline.pause();
  const listener = createListener({
    server,
    signal: stop.signal,
    questions,
    deadline,
    call: () => attending,
  });
  const outcome = begin(listener).finally(() => {
    deadline.stop();
    clearTimeout(expiry);
    onOver();
  });
  // Between two rounds nothing awaits the outcome.
  outcome.catch(() => undefined);

  function deliver(answers: Readonly<Record<string, ClientAnswer | null>>): void {
    questions.answer(answers);
    if (questions.isEmpty()) deadline.resume();
  }

  /** Puts all open questions to the client. `onAsk` is called first. */
  async function ask(call: ToolCall, onAsk: () => void): Promise<void> {
    const open = questions.all();
    onAsk();
    const answers = await call.ask(open).catch((error: unknown) => {
      if (call.answered !== undefined || call.context.signal.aborted) throw error;
      // Asked during a call: the server gets the error and can continue without an answer.
      questions.fail(Object.keys(open), error);
      return {};
    });
    deliver(answers);
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
        const happened = await Promise.race([outcome, questions.asked()]);
        if (happened) return happened;
        await ask(call, () => {
          suspending = call.answered !== undefined;
        });
        suspending = false;
      }
    } catch (error) {
      if (suspending && !questions.isEmpty()) {
        const late = `Nobody answered ${server} within ${answerMs / 60_000} minutes.`;
        expiry = setTimeout(() => end(new ZooError('timeout', late)), answerMs).unref();
      }
      throw error;
    } finally {
      signal.removeEventListener('abort', cancelled);
      attending = null;
    }
  }

  return { key, attend, isSuspended: () => attending === null && !questions.isEmpty(), end };
}

/** Progress and logs of the request, forwarded to the call that is attached to it. */
function createListener(options: {
  server: string;
  signal: AbortSignal;
  questions: OpenQuestions;
  deadline: Deadline;
  call(): ToolCall | null;
}): Listener {
  const { server, signal, questions, deadline, call } = options;
  async function answerTo(question: ClientQuestion): Promise<ClientAnswer> {
    signal.throwIfAborted();
    deadline.pause();
    return withoutAnswer(question, await questions.put(naming(server, question)));
  }
  return {
    signal,
    begun: () => deadline.resume(),
    async ask(asked) {
      const answers = Object.entries(asked).map(
        async ([name, question]) => [name, await answerTo(question)] as const,
      );
      return Object.fromEntries(await Promise.all(answers));
    },
    progress(done, total, message) {
      deadline.restart();
      call()?.progress(done, total, message);
    },
    log: (level, message) => call()?.log(level, message),
  };
}

/** Names the server, so that the person knows who asks. */
function naming(server: string, question: ClientQuestion): ClientQuestion {
  if (question.method !== 'elicitation/create') return question;
  const { message } = question.params;
  const text = typeof message === 'string' ? message : '';
  return { ...question, params: { ...question.params, message: `${server} asks: ${text}` } };
}

/** The reply to a server whose client cannot answer. */
function withoutAnswer(question: ClientQuestion, answer: ClientAnswer | null): ClientAnswer {
  if (answer !== null) return answer;
  if (question.method === 'elicitation/create') return { action: 'cancel' };
  if (question.method === 'roots/list') return { roots: [] };
  throw new ZooError('tool_error', 'The calling client does not support sampling.');
}

/** The keys of the conversations that these answers may belong to. */
export function keysIn(answered: Readonly<Record<string, ClientAnswer>>): string[] {
  const keys = Object.keys(answered).flatMap((name) => /^([0-9a-f-]{36})\.\d+$/.exec(name)?.[1] ?? []);
  return [...new Set(keys)];
}
