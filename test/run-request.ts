import type { RunRequest } from '../src/runner/runs/run-request.ts';

/** For tests: what the operator asks of an agent. */
export const runRequest = (id: string, more: Partial<RunRequest> = {}): RunRequest => ({
  id,
  agentId: 'ada',
  workspace: 'w',
  caller: 'operator',
  identity: { kind: 'operator' },
  surface: 'cli',
  input: [{ type: 'text', text: 'hello' }],
  arguments: {},
  headless: true,
  models: null,
  outputSchema: null,
  depth: 0,
  ...more,
});
