import type { CallContext } from '../src/contract/call.ts';

/** The operator's, from the command line, unless it says otherwise. */
export function callContext(parts: Partial<CallContext> = {}): CallContext {
  return {
    caller: { kind: 'operator' },
    workspace: 'here',
    agent: null,
    surface: 'cli',
    depth: 0,
    budget: {},
    signal: new AbortController().signal,
    ...parts,
  };
}
