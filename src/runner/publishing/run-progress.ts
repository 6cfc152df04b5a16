import type { EndReason, RunError, RunEvent, RunState, Usage } from '../../contract/run.ts';
import { NO_USAGE } from '../../contract/run.ts';

/** The progress of a run, as reported to its caller. */
export interface RunProgress {
  state: RunState;
  step: number;
  /** Tools that are being called. */
  calling: ReadonlyMap<string, string>;
  usage: Usage;
  text: string;
  error: RunError | null;
  /** Why it ended; null before. */
  reason: EndReason | null;
}

export const NO_PROGRESS: RunProgress = {
  state: 'queued',
  step: 0,
  calling: new Map(),
  usage: NO_USAGE,
  text: '',
  error: null,
  reason: null,
};

/** Pure. The same object where an event says nothing new. */
export function advance(progress: RunProgress, event: RunEvent): RunProgress {
  switch (event.type) {
    case 'run-started':
      return { ...progress, state: 'running' };
    case 'step-started':
      return { ...progress, state: 'running', step: event.step };
    case 'tool-call':
      return { ...progress, calling: new Map([...progress.calling, [event.id, event.name]]) };
    case 'tool-result':
      return { ...progress, calling: new Map([...progress.calling].filter(([id]) => id !== event.id)) };
    case 'usage':
      return { ...progress, usage: event.total };
    case 'error':
      return { ...progress, error: { code: event.code, message: event.message } };
    case 'done':
      return {
        ...progress,
        state: event.state,
        step: event.steps,
        usage: event.usage,
        text: event.text,
        reason: event.reason ?? null,
        calling: new Map(),
      };
    case 'text':
    case 'reasoning':
    case 'tool-progress':
    case 'approval-requested':
    case 'approval-answered':
    case 'question-asked':
    case 'question-settled':
    case 'message-joined':
    case 'context-shortened':
    case 'retry':
    case 'warning':
    default:
      return progress;
  }
}

const count = new Intl.NumberFormat('en');

/** `step 2, calling search, 1,234 tokens so far` */
export function describeProgress({ step, calling, usage }: RunProgress): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  const names = [...new Set(calling.values())];
  return [
    step === 0 ? 'starting' : `step ${step}`,
    ...(names.length > 0 ? [`calling ${names.join(', ')}`] : []),
    `${count.format(tokens)} tokens so far`,
  ].join(', ');
}

export const isDone = ({ state }: Pick<RunProgress, 'state'>): boolean =>
  state !== 'queued' && state !== 'running' && state !== 'waiting';
