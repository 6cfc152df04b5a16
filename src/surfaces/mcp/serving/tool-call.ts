import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClientCapabilities,
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { ZooError } from '../../../contract/errors.ts';
import type { ClientAnswer, ClientQuestion, ToolCall } from '../../../contract/tool.ts';
import { type CallRequest, requestFromSdk } from './call-request.ts';
import { isBelow } from './log-level.ts';
import type { Answered } from './request-state.ts';
import { callContext, type Served } from './served.ts';

/** Long, since a person answers. The call itself can still be cancelled. */
const ANSWER_TIMEOUT_MS = 600_000;
/** SDK clients drop progress that arrives together with the result. */
const APART_MS = 5;
const CAPABILITY = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const satisfies Record<ClientQuestion['method'], keyof ClientCapabilities>;
/** Created once: the default reason of a signal captures a stack trace each time. */
const OVER = new ZooError('tool_error', 'The call has ended.');
const LEVEL = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' } as const;
const Elicited = z.looseObject({ action: z.string(), content: z.record(z.string(), z.unknown()).optional() });

type Questions = Readonly<Record<string, ClientQuestion>>;
type Answers = Record<string, ClientAnswer | null>;

/** A round of a call that ended with questions to a client of the newest revision. */
export class OpenRound {
  readonly questions: Questions;
  readonly answered: Answered;

  constructor(questions: Questions, answered: Answered) {
    this.questions = questions;
    this.answered = answered;
  }
}

/** Runs a call that the SDK has received. */
export async function runSdkCall<T>(
  served: Served,
  ctx: ServerContext,
  work: (call: ToolCall) => Promise<T>,
): Promise<T | InputRequiredResult> {
  const outcome = await runCall(served, requestFromSdk(served, ctx), work);
  return outcome instanceof OpenRound ? toInputRequired(served, ctx, outcome) : outcome;
}

/**
 * Runs a call that may ask the client something. A client of the newest revision cannot be asked during a call: the
 * questions are the result, the work is abandoned, and it starts again when the client repeats the call with answers.
 */
export async function runCall<T>(
  { era, context: shared }: Pick<Served, 'era' | 'context'>,
  request: CallRequest,
  work: (call: ToolCall) => Promise<T>,
): Promise<T | OpenRound> {
  const round = era === 'legacy' ? null : createRound(request.signal);
  const context = callContext(shared, request.meta, round?.signal ?? request.signal);
  const clientName = request.clientName();
  if (clientName !== null) context.clientName = clientName;
  const ask =
    round === null
      ? (questions: Questions) => askNow(request, questions)
      : (questions: Questions) => askInRounds(request, questions, round);
  const progress = createProgress(request);
  const call: ToolCall = {
    context,
    ask,
    ...(request.meta && { meta: request.meta }),
    ...(round !== null && { answered: request.answered }),
    elicit: createElicit(ask),
    progress: progress.tell,
    log(level, message) {
      const threshold = request.logLevel();
      if (threshold === null || isBelow(LEVEL[level], threshold)) return;
      const params = { level: LEVEL[level], data: message };
      request.notify({ method: 'notifications/message', params }).catch(() => undefined);
    },
  };
  try {
    const answer = await (round ? Promise.race([work(call), round.asked]) : work(call));
    if (progress.isRecent()) await sleep(APART_MS);
    return answer;
  } finally {
    round?.end();
  }
}

interface Round {
  /** Aborts with the request, or when the round is over. */
  signal: AbortSignal;
  /** Resolves when questions end the round. */
  asked: Promise<OpenRound>;
  giveUp(open: OpenRound): void;
  end(): void;
}

/** Signals cost more than most calls, so only calls that can be abandoned have one of their own. */
function createRound(signal: AbortSignal): Round {
  const controller = new AbortController();
  let giveUp: Round['giveUp'] = () => undefined;
  const asked = new Promise<OpenRound>((resolve) => {
    giveUp = resolve;
  });
  const cancel = (): void => controller.abort(signal.reason);
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    asked,
    giveUp,
    end() {
      signal.removeEventListener('abort', cancel);
      controller.abort(OVER);
    },
  };
}

function createProgress({ meta, notify }: CallRequest) {
  const progressToken = meta?.['progressToken'];
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    isRecent: () => performance.now() - toldAt < APART_MS,
    tell(progress: number, total?: number, message?: string): void {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total, message };
      toldAt = performance.now();
      // Ignored if the client has disconnected.
      notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}

function createElicit(ask: (questions: Questions) => Promise<Answers>): ToolCall['elicit'] {
  let elicitations = 0;
  return async (message, requestedSchema) => {
    const name = `question-${(elicitations += 1)}`;
    const params = { message, requestedSchema };
    const answers = await ask({ [name]: { method: 'elicitation/create', params, optional: true } });
    const answer = Elicited.safeParse(answers[name]).data;
    return answer?.action === 'accept' ? (answer.content ?? {}) : null;
  };
}

/** Without the optional questions that the client does not support. */
function answerable(request: CallRequest, questions: Questions): [string, ClientQuestion][] {
  const declared = request.capabilities();
  return Object.entries(questions).filter(
    ([, { method, optional }]) => !optional || declared[CAPABILITY[method]] !== undefined,
  );
}

async function askNow(request: CallRequest, questions: Questions): Promise<Answers> {
  const declared = request.capabilities();
  const answers: Answers = unanswered(questions);
  for (const [name, { method, params, completed }] of answerable(request, questions)) {
    if (declared[CAPABILITY[method]] === undefined) {
      throw new ZooError(
        'tool_error',
        `The client does not support ${CAPABILITY[method]}, which this tool needs.`,
      );
    }
    const answer = request.ask({ method, params }, ANSWER_TIMEOUT_MS);
    // After the question, which tells the client about the page. It may come after the call: people take their time.
    completed?.then(() => request.tellCompleted(String(params['elicitationId']))).catch(() => undefined);
    answers[name] = await answer;
  }
  return answers;
}

async function askInRounds(request: CallRequest, questions: Questions, round: Round): Promise<Answers> {
  const given = request.answered;
  const open = answerable(request, questions);
  const missing = open.filter(([name]) => given[name] === undefined);
  if (missing.length === 0) return { ...unanswered(questions), ...pick(given, open) };
  round.giveUp(new OpenRound(Object.fromEntries(missing), given));
  return new Promise((_resolve, reject) => {
    const end = (): void =>
      reject(new ZooError('tool_error', 'The call was interrupted to ask the client.', { asked: true }));
    if (round.signal.aborted) end();
    else round.signal.addEventListener('abort', end, { once: true });
  });
}

/** The questions of a round as the SDK sends them. */
export async function toInputRequired(
  { states }: Pick<Served, 'states'>,
  ctx: ServerContext,
  { questions, answered }: OpenRound,
): Promise<InputRequiredResult> {
  return inputRequired({
    inputRequests: Object.fromEntries(
      Object.entries(questions).map(([name, question]) => [name, toRequest(question)]),
    ),
    requestState: await states.mint(answered, ctx),
  });
}

const unanswered = (questions: Questions): Answers =>
  Object.fromEntries(Object.keys(questions).map((name) => [name, null]));

const pick = (given: Answered, open: readonly [string, ClientQuestion][]): Answers =>
  Object.fromEntries(open.map(([name]) => [name, given[name] ?? null]));

// Not parsed here: the SDK validates the content against its own schemas before it sends it.
const Request = z.custom<InputRequest>((value) => typeof value === 'object' && value !== null);

const toRequest = ({ method, params }: ClientQuestion): InputRequest => Request.parse({ method, params });
