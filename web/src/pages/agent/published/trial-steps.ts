import type { RunEvent, RunState, Usage } from '../../../../../src/contract/run.ts';

/** The steps of a trial run that matter to its author. */
export type TrialStep =
  | { kind: 'call'; id: string; name: string; input: string; output: string | null; isError: boolean }
  | { kind: 'note'; text: string; isError: boolean };

export interface TrialOutcome {
  state: RunState;
  text: string;
  usage: Usage;
}

export function addTrialEvent(steps: readonly TrialStep[], event: RunEvent): readonly TrialStep[] {
  if (event.type === 'tool-call') {
    const input = typeof event.arguments === 'string' ? event.arguments : JSON.stringify(event.arguments);
    return [...steps, { kind: 'call', id: event.id, name: event.name, input, output: null, isError: false }];
  }
  if (event.type === 'tool-result') {
    const output = event.content
      .map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
      .join('\n');
    return steps.map((step) =>
      step.kind === 'call' && step.id === event.id ? { ...step, output, isError: event.isError } : step,
    );
  }
  if (event.type === 'error') return [...steps, { kind: 'note', text: event.message, isError: true }];
  if (event.type === 'warning' || event.type === 'context-shortened' || event.type === 'retry')
    return [...steps, { kind: 'note', text: event.message, isError: false }];
  return steps;
}
