import type { ZooClient } from '../../../../contract/api.ts';
import type { RunEvent } from '../../../../contract/run.ts';
import { errorView, type Invocation, printLine, say } from '../../invocation.ts';
import { Failure } from '../../output/failure.ts';
import { firstLine, plural } from '../../render/layout.ts';
import { renderToolAnswer } from '../../render/tool-answer.ts';
import { askForApproval } from './ask-for-approval.ts';

/**
 * Prints a run as it happens, asks for approvals and returns its answer. Ctrl-C cancels the run; a run that did not
 * complete throws.
 */
export async function followRun(call: Invocation, client: ZooClient, id: string): Promise<string> {
  const cancel = (): void => void client.call('cancelRun', { id }).catch(() => undefined);
  process.on('SIGINT', cancel);
  let failure: string | null = 'the hub stopped before the run ended; the next hub continues it';
  let printed = '';
  let answer = '';
  const settled = settledQuestions();
  const present = async (event: RunEvent): Promise<void> => {
    if (call.json) printLine(call, event, () => '');
    else printed = show(call, event, printed);
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
        failure = failureOf(event, failure);
        answer = event.text;
      }
      if (event.type === 'error') failure = event.message;
    }
  } finally {
    settled.end();
    await presented.finally(() => process.off('SIGINT', cancel));
  }
  if (!call.json && printed !== '' && !printed.endsWith('\n')) call.terminal.out.write('\n');
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
      if (event.type === 'approval-answered') of(event.questionId).abort('This was answered elsewhere.');
      if (event.type === 'approval-requested') of(event.questionId);
      if (event.type === 'done') end();
    },
  };
}

function failureOf({ state }: Extract<RunEvent, { type: 'done' }>, known: string | null): string | null {
  if (state === 'completed') return null;
  return state === 'failed' ? known : `the run was ${state}`;
}

/** Returns the last text that was printed, to know where a line ends. */
function show(call: Invocation, event: RunEvent, printed: string): string {
  const { paint } = errorView(call);
  const note = (text: string): string => {
    if (printed !== '' && !printed.endsWith('\n')) call.terminal.out.write('\n');
    say(call, paint('dim', text));
    return '\n';
  };
  switch (event.type) {
    case 'text':
      call.terminal.out.write(event.text);
      return event.text;
    case 'run-started':
      for (const warning of event.warnings) note(`warning: ${warning}`);
      if (event.missingTools.length > 0) note(`Not available in a run: ${event.missingTools.join(', ')}.`);
      return printed;
    case 'tool-call':
      return note(`→ ${event.name} ${firstLine(JSON.stringify(event.arguments) ?? '', 100)}`);
    case 'tool-result':
      return event.isError
        ? note(`  ${event.name} failed: ${firstLine(renderToolAnswer(event.content), 200)}`)
        : printed;
    case 'approval-requested':
      return call.terminal.asker
        ? note('')
        : note(`${event.name} needs approval: zoo inbox answer ${event.questionId} once|chat|always|deny`);
    case 'question-asked':
      return note(`${event.message} Answer with: zoo inbox answer ${event.questionId} accept|decline`);
    case 'retry':
      return note(`${event.message} Retrying in ${Math.ceil(event.afterMs / 1000)} s.`);
    case 'warning':
    case 'context-shortened':
      return note(event.message);
    case 'done': {
      const { inputTokens, outputTokens, usd } = event.usage;
      const price = usd === null ? '' : `, $${usd.toFixed(4)}`;
      return note(`${plural(event.steps, 'step')}, ${inputTokens + outputTokens} tokens${price}`);
    }
    case 'approval-answered':
    case 'error':
    case 'message-joined':
    case 'question-settled':
    case 'reasoning':
    case 'step-started':
    case 'tool-progress':
    case 'usage':
    default:
      return printed;
  }
}
