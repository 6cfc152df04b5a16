import { setTimeout as sleep } from 'node:timers/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { ZooError } from '../../../contract/errors.ts';
import type { ClientAnswer, ClientQuestion, ToolCall } from '../../../contract/tool.ts';
import { Answered } from './request-state.ts';
import { contextOf, type Served } from './served.ts';

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
const OVER = new ZooError('tool_error', 'The call is over.');
const LEVEL = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' } as const;

const Elicited = z.looseObject({ action: z.string(), content: z.record(z.string(), z.unknown()).optional() });

type Questions = Readonly<Record<string, ClientQuestion>>;
type Answers = Record<string, ClientAnswer | null>;

/**
 * Runs a call that may ask the client something. A client of the newest revision cannot be asked during a call: the
 * questions are the result, the work is abandoned, and it starts again when the client repeats the call with answers.
 */
export async function runCall<T>(
  served: Served,
  ctx: ServerContext,
  work: (call: ToolCall) => Promise<T>,
): Promise<T | InputRequiredResult> {
  // Signals cost more than most calls, so there is one only where a call can be abandoned.
  const givenUp = served.era === 'legacy' ? null : new AbortController();
  let giveUp: (questions: InputRequiredResult) => void = () => undefined;
  const asked = new Promise<InputRequiredResult>((resolve) => {
    giveUp = resolve;
  });
  const context = contextOf(served, ctx);
  if (givenUp) context.signal = AbortSignal.any([context.signal, givenUp.signal]);

  const ask =
    givenUp === null
      ? (questions: Questions) => askNow(served, ctx, questions)
      : (questions: Questions) => askInRounds(served, ctx, questions, giveUp, givenUp.signal);
  let toldAt = Number.NEGATIVE_INFINITY;
  let elicitations = 0;
  const call: ToolCall = {
    context,
    ask,
    ...(givenUp !== null && { answered: answeredSoFar(ctx) }),
    async elicit(message, requestedSchema) {
      const name = `question-${(elicitations += 1)}`;
      const params = { message, requestedSchema };
      const answers = await ask({ [name]: { method: 'elicitation/create', params, optional: true } });
      const answer = Elicited.safeParse(answers[name]).data;
      return answer?.action === 'accept' ? (answer.content ?? {}) : null;
    },
    progress(done, total, message) {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      if (progressToken === undefined) return;
      const params = { progressToken, progress: done, total, message };
      // Ignored if the client has disconnected.
      toldAt = performance.now();
      ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    log(level, message) {
      ctx.mcpReq.log(LEVEL[level], message).catch(() => undefined);
    },
  };
  try {
    const answer = await Promise.race([work(call), asked]);
    if (performance.now() - toldAt < APART_MS) await sleep(APART_MS);
    return answer;
  } finally {
    givenUp?.abort(OVER);
  }
}

/** The SDK leaves the envelope of a request untyped. */
const Envelope = z.looseObject({ [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({}).optional() });

function capabilitiesOf({ server, era }: Served, { mcpReq }: ServerContext): Record<string, unknown> {
  if (era === 'legacy') return server.getClientCapabilities() ?? {};
  return Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

/** Without the optional questions that the client does not support. */
function answerable(served: Served, ctx: ServerContext, questions: Questions): [string, ClientQuestion][] {
  const declared = capabilitiesOf(served, ctx);
  return Object.entries(questions).filter(
    ([, { method, optional }]) => !optional || declared[CAPABILITY[method]] !== undefined,
  );
}

async function askNow(served: Served, ctx: ServerContext, questions: Questions): Promise<Answers> {
  const declared = capabilitiesOf(served, ctx);
  const answers: Answers = unanswered(questions);
  for (const [name, { method, params, completed }] of answerable(served, ctx, questions)) {
    if (declared[CAPABILITY[method]] === undefined) {
      throw new ZooError(
        'tool_error',
        `The client does not support ${CAPABILITY[method]}, which this tool needs.`,
      );
    }
    const options = { timeout: ANSWER_TIMEOUT_MS, signal: ctx.mcpReq.signal };
    const answer = ctx.mcpReq.send({ method, params }, options);
    // After the question, which tells the client about the page.
    completed?.then(() => tellCompleted(served, params)).catch(() => undefined);
    answers[name] = { ...(await answer) };
  }
  return answers;
}

/** Works after the call too: people take their time. Ignored by clients that are gone or do not support it. */
function tellCompleted({ server }: Served, { elicitationId }: ClientQuestion['params']): Promise<void> {
  return server.createElicitationCompletionNotifier(String(elicitationId))();
}

function answeredSoFar({ mcpReq }: ServerContext): Answered {
  const earlier = Answered.safeParse(mcpReq.requestState()).data ?? {};
  const now = Answered.safeParse(mcpReq.inputResponses).data ?? {};
  return { ...earlier, ...now };
}

async function askInRounds(
  served: Served,
  ctx: ServerContext,
  questions: Questions,
  giveUp: (questions: InputRequiredResult) => void,
  givenUp: AbortSignal,
): Promise<Answers> {
  const given = answeredSoFar(ctx);
  const open = answerable(served, ctx, questions);
  const missing = open.filter(([name]) => given[name] === undefined);
  if (missing.length === 0) return { ...unanswered(questions), ...pick(given, open) };
  giveUp(
    inputRequired({
      inputRequests: Object.fromEntries(missing.map(([name, question]) => [name, toRequest(question)])),
      requestState: await served.states.mint(given, ctx),
    }),
  );
  return new Promise((_resolve, reject) => {
    const end = (): void =>
      reject(new ZooError('tool_error', 'The call was interrupted to ask the client.', { asked: true }));
    if (givenUp.aborted) end();
    else givenUp.addEventListener('abort', end, { once: true });
  });
}

const unanswered = (questions: Questions): Answers =>
  Object.fromEntries(Object.keys(questions).map((name) => [name, null]));

const pick = (given: Answered, open: readonly [string, ClientQuestion][]): Answers =>
  Object.fromEntries(open.map(([name]) => [name, given[name] ?? null]));

const Request = z.custom<InputRequest>((value) => typeof value === 'object' && value !== null);

/** Not parsed here: the SDK validates the content against its own schemas before it sends it. */
const toRequest = ({ method, params }: ClientQuestion): InputRequest => Request.parse({ method, params });
