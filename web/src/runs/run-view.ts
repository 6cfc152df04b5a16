import type { RunError, RunEvent, RunState, Usage } from '../../../src/contract/run.ts';

type ResultEvent = Extract<RunEvent, { type: 'tool-result' }>;
export type ToolContent = ResultEvent['content'];

export interface ApprovalView {
  questionId: string;
  /** As the model asked for it. */
  arguments: unknown;
  /** Null while it waits for a person. */
  decision: 'once' | 'chat' | 'always' | 'deny' | null;
  reason: string | null;
}

export interface CallView {
  kind: 'call';
  id: string;
  name: string;
  arguments: unknown;
  /** In place of those of the model. */
  editedArguments: unknown;
  progress: string | null;
  approval: ApprovalView | null;
  result: { content: ToolContent; isError: boolean; durationMs: number } | null;
}

export type RunItem =
  | { kind: 'text' | 'reasoning'; part: number; text: string }
  | CallView
  /** A message of the user that joined a step. */
  | { kind: 'joined'; text: string }
  | { kind: 'note'; tone: 'plain' | 'warning' | 'error'; text: string };

export interface StepView {
  step: number;
  items: readonly RunItem[];
  usage: Usage | null;
}

/** One run as it is shown: what its events have told so far. */
export interface RunView {
  model: string | null;
  steps: readonly StepView[];
  /** Before the first step: tools that are missing, warnings about the agent. */
  notes: readonly string[];
  usage: Usage | null;
  state: RunState;
  error: RunError | null;
}

export const NEW_RUN: RunView = {
  model: null,
  steps: [],
  notes: [],
  usage: null,
  state: 'queued',
  error: null,
};

/** Applies one event. Applying one twice changes nothing: texts carry their offset, calls their id. */
export function addRunEvent(run: RunView, event: RunEvent): RunView {
  switch (event.type) {
    case 'run-started':
      return { ...run, model: event.model, state: 'running', notes: notesOf(event) };
    case 'step-started':
      // A step that starts again replaces everything known of it.
      return { ...run, state: 'running', steps: [...stepsBefore(run, event.step), emptyStep(event.step)] };
    case 'text':
    case 'reasoning':
      return inStep(run, event.step, (items) => addText(items, event));
    case 'tool-call':
      return inStep(run, event.step, (items) => addCall(items, event));
    case 'approval-requested':
      return { ...inStep(run, event.step, (items) => addApproval(items, event)), state: 'waiting' };
    case 'question-asked': {
      const { step, toolCallId: id, message } = event;
      return { ...changeCall(run, { type: 'tool-progress', step, id, done: 0, message }), state: 'waiting' };
    }
    case 'question-settled':
      return { ...run, state: 'running' };
    case 'message-joined':
      return inStep(run, event.step, (items) => [...items, { kind: 'joined', text: event.text }]);
    case 'context-shortened':
      return inStep(run, event.step, (items) => [...items, note(event.message)]);
    case 'retry':
      return inStep(run, event.step, (items) => [
        ...items.filter(({ kind }) => kind !== 'text' && kind !== 'reasoning'),
        note(retryWords(event), 'warning'),
      ]);
    case 'usage':
      return {
        ...run,
        usage: event.total,
        steps: run.steps.map((each) => (each.step === event.step ? { ...each, usage: event.usage } : each)),
      };
    case 'warning':
      return inLastStep(run, note(event.message, 'warning'));
    case 'error':
      return { ...run, error: { code: event.code, message: event.message } };
    case 'done':
      return { ...run, state: event.state, usage: event.usage };
    case 'tool-progress':
    case 'tool-result':
    case 'approval-answered':
    default:
      return changeCall(run, event);
  }
}

/** In words that are also true afterwards. */
const retryWords = ({ message, afterMs }: Extract<RunEvent, { type: 'retry' }>): string =>
  afterMs === 0 ? message : `${message} Retry after ${Math.ceil(afterMs / 1000)} s.`;

type CallEvent = Extract<RunEvent, { type: 'tool-progress' | 'tool-result' | 'approval-answered' }>;

function changeCall(run: RunView, event: CallEvent): RunView {
  const id = event.type === 'approval-answered' ? event.toolCallId : event.id;
  const steps = run.steps.map((step) =>
    step.items.some((item) => item.kind === 'call' && item.id === id)
      ? { ...step, items: step.items.map((item) => (isCall(item, id) ? changed(item, event) : item)) }
      : step,
  );
  const isAnswered = event.type === 'approval-answered' && run.state === 'waiting';
  const stillWaits = steps.some(({ items }) => items.some((item) => isWaiting(item)));
  return { ...run, steps, state: isAnswered && !stillWaits ? 'running' : run.state };
}

const isCall = (item: RunItem, id: string): item is CallView => item.kind === 'call' && item.id === id;

const isWaiting = (item: RunItem): boolean =>
  item.kind === 'call' && item.approval !== null && item.approval.decision === null && item.result === null;

function changed(call: CallView, event: CallEvent): CallView {
  if (event.type === 'tool-progress') {
    const share = event.total === undefined ? String(event.done) : `${event.done} of ${event.total}`;
    return { ...call, progress: event.message ?? share };
  }
  if (event.type === 'tool-result') {
    const { editedArguments = null, content, isError, durationMs } = event;
    return { ...call, editedArguments, result: { content, isError, durationMs } };
  }
  if (call.approval === null) return call;
  const { decision, reason = null } = event;
  return { ...call, approval: { ...call.approval, decision, reason } };
}

const emptyStep = (step: number): StepView => ({ step, items: [], usage: null });

const stepsBefore = (run: RunView, step: number): readonly StepView[] =>
  run.steps.filter((each) => each.step < step);

function inStep(
  run: RunView,
  step: number,
  change: (items: readonly RunItem[]) => readonly RunItem[],
): RunView {
  const known = run.steps.some((each) => each.step === step) ? run.steps : [...run.steps, emptyStep(step)];
  const steps = known.map((each) => (each.step === step ? { ...each, items: change(each.items) } : each));
  return { ...run, steps };
}

function inLastStep(run: RunView, item: RunItem): RunView {
  const step = run.steps.at(-1)?.step ?? 1;
  return inStep(run, step, (items) => [...items, item]);
}

function addText(
  items: readonly RunItem[],
  { type, part, offset, text }: Extract<RunEvent, { type: 'text' | 'reasoning' }>,
): readonly RunItem[] {
  const at = items.findIndex((item) => item.kind === type && 'part' in item && item.part === part);
  const known = items[at];
  if (known === undefined) return [...items, { kind: type, part, text }];
  if (known.kind !== 'text' && known.kind !== 'reasoning') return items;
  return items.with(at, { ...known, text: known.text.slice(0, offset) + text });
}

function addCall(
  items: readonly RunItem[],
  { id, name, arguments: args }: Extract<RunEvent, { type: 'tool-call' }>,
): readonly RunItem[] {
  if (items.some((item) => isCall(item, id))) return items;
  return [
    ...items,
    {
      kind: 'call',
      id,
      name,
      arguments: args,
      editedArguments: null,
      progress: null,
      approval: null,
      result: null,
    },
  ];
}

function addApproval(
  items: readonly RunItem[],
  event: Extract<RunEvent, { type: 'approval-requested' }>,
): readonly RunItem[] {
  const { toolCallId, questionId, name, arguments: args } = event;
  const known = addCall(items, {
    type: 'tool-call',
    step: event.step,
    id: toolCallId,
    name,
    arguments: args,
  });
  return known.map((item) =>
    isCall(item, toolCallId) && item.approval === null
      ? { ...item, approval: { questionId, arguments: args, decision: null, reason: null } }
      : item,
  );
}

const note = (text: string, tone: 'plain' | 'warning' = 'plain'): RunItem => ({ kind: 'note', tone, text });

function notesOf({ missingTools, warnings }: Extract<RunEvent, { type: 'run-started' }>): readonly string[] {
  const missing =
    missingTools.length === 0
      ? []
      : [`Not available outside of an editor or terminal client: ${missingTools.join(', ')}.`];
  return [...missing, ...warnings];
}

export const isOver = ({ state }: Pick<RunView, 'state'>): boolean =>
  state !== 'queued' && state !== 'running' && state !== 'waiting';
