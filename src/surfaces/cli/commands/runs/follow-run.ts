import type { ZooClient } from '../../../../contract/api.ts';
import type { Run, RunEvent, RunState } from '../../../../contract/run.ts';
import { errorView, type Invocation, printLine, say } from '../../invocation.ts';
import { Failure } from '../../output/failure.ts';
import { firstLine, plural } from '../../render/layout.ts';
import { renderToolAnswer } from '../../render/tool-answer.ts';
import { askForApproval } from './ask-for-approval.ts';
import { createTextOutput, type TextOutput } from './text-output.ts';

export interface FollowOptions {
  /** Prints nothing but the answer, which is JSON, to standard output: not the text before a tool call, either. */
  answerOnly?: boolean;
  /** Signals that cancel the run: Ctrl-C only by default. */
  cancelOn?: readonly NodeJS.Signals[];
}

/**
 * Prints a run as it happens, asks for approvals and returns its answer. Ctrl-C cancels the run; a run that did not
 * complete throws.
 */
export async function followRun(
  call: Invocation,
  client: ZooClient,
  id: string,
  { answerOnly = false, cancelOn = ['SIGINT'] }: FollowOptions = {},
): Promise<string> {
  const cancel = (): void => void client.call('cancelRun', { id }).catch(() => undefined);
  for (const signal of cancelOn) process.on(signal, cancel);
  let isDone = false;
  let failure: string | null = 'the run failed';
  const text = createTextOutput(call, answerOnly);
  let answer = '';
  const settled = settledQuestions();
  const present = async (event: RunEvent): Promise<void> => {
    if (call.json) printLine(call, event, () => '');
    else show(call, event, text);
    if (event.type !== 'approval-requested' || !call.terminal.asker) return;
    // A prompt takes Ctrl-C for itself, so that no signal arrives.
    if (!(await askForApproval(call, client, event, settled.signal(event.questionId)))) cancel();
  };
  const reading = new AbortController();
  let presented = Promise.resolve();
  try {
    for await (const { event } of client.stream('followRun', { id }, reading.signal)) {
      settled.note(event);
      // Reading goes on while a prompt is open, so that an answer given elsewhere closes it.
      presented = presented.then(() => present(event));
      presented.catch(() => reading.abort());
      if (event.type === 'done') {
        isDone = true;
        failure = failureOf(event, failure);
        answer = event.text;
      }
      if (event.type === 'error') failure = event.message;
    }
  } finally {
    settled.end();
    await presented.finally(() => cancelOn.forEach((signal) => process.off(signal, cancel)));
  }
  text.end(call.json ? '' : answer);
  if (!isDone) failure = failureWithoutEnd(await client.call('getRun', { id }).catch(() => null));
  if (failure === null) return answer;
  throw new Failure(failure, { hints: [`\`zoo runs show ${id.slice(0, 8)}\` shows its steps`] });
}

/** Tells open prompts that their question is settled. */
function settledQuestions() {
  const prompts = new Map<string, AbortController>();
  const of = (id: string): AbortController => {
    const prompt = prompts.get(id) ?? new AbortController();
    prompts.set(id, prompt);
    return prompt;
  };
  const end = (): void => prompts.forEach((prompt) => prompt.abort('The run has ended.'));
  return {
    end,
    signal: (id: string): AbortSignal => of(id).signal,
    note(event: RunEvent): void {
      if (event.type === 'approval-answered') of(event.questionId).abort('This was answered already.');
      if (event.type === 'approval-requested') of(event.questionId);
      if (event.type === 'done') end();
    },
  };
}

/** A run that was interrupted, or cancelled after its process died, has no last event. Null if no hub answers. */
function failureWithoutEnd(run: Run | null): string {
  if (!run || isUnderWay(run.state)) return 'the hub stopped before the run ended; the next hub continues it';
  return run.error?.message ?? `the run was ${run.state}`;
}

/** Whether the state is not final. */
export const isUnderWay = (state: RunState): boolean =>
  state === 'queued' || state === 'running' || state === 'waiting';

function failureOf({ state }: Extract<RunEvent, { type: 'done' }>, known: string | null): string | null {
  if (state === 'completed') return null;
  return state === 'failed' ? known : `the run was ${state}`;
}

function show(call: Invocation, event: RunEvent, text: TextOutput): void {
  const { paint } = errorView(call);
  const note = (words: string): void => {
    text.flush();
    text.endLine();
    say(call, paint('dim', words));
  };
  switch (event.type) {
    case 'text':
      return text.add(event.text);
    case 'run-started':
      for (const warning of event.warnings) note(`warning: ${warning}`);
      if (event.missingTools.length > 0) note(`Not available in a run: ${event.missingTools.join(', ')}.`);
      return;
    case 'tool-call':
      return note(`→ ${event.name} ${firstLine(JSON.stringify(event.arguments) ?? '', 100)}`);
    case 'tool-result':
      if (event.isError) note(`  ${event.name} failed: ${firstLine(renderToolAnswer(event.content), 200)}`);
      return;
    case 'approval-requested':
      return call.terminal.asker
        ? note('')
        : note(`${event.name} needs approval: zoo inbox answer ${event.questionId} once|chat|always|deny`);
    case 'question-asked':
      return note(`${event.message} Answer with: zoo inbox answer ${event.questionId} accept|decline`);
    case 'retry':
      text.drop();
      return note(
        event.afterMs === 0
          ? event.message
          : `${event.message} Retrying in ${Math.ceil(event.afterMs / 1000)} s.`,
      );
    case 'warning':
    case 'context-shortened':
      return note(event.message);
    case 'done':
      if (event.state === 'completed' && event.text === '') note('The model answered without any text.');
      return note(costOf(event));
    case 'approval-answered':
    case 'error':
    case 'message-joined':
    case 'question-settled':
    case 'reasoning':
    case 'step-started':
    case 'tool-progress':
    case 'usage':
    default:
  }
}

/** Without figures where the provider reported none, as after a cancellation: that is not the same as free. */
function costOf({ steps, usage }: Extract<RunEvent, { type: 'done' }>): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  if (tokens === 0) return plural(steps, 'step');
  const price = usage.usd === null ? '' : `, $${usage.usd.toFixed(4)}`;
  return `${plural(steps, 'step')}, ${tokens} tokens${price}`;
}
