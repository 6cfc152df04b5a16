import {
  DEFAULT_LIMITS,
  type MemberSpec,
  NOTHING_SPENT,
  type TeamLimits,
  type TeamState,
} from './state/team-state.ts';
import type { TurnOutcome } from './state/turns.ts';
import { type Step, step, type TeamEvent } from './team.ts';

/** Ids that depend on the state alone, so that the same events lead to the same state. */
export function playOne(state: TeamState, event: TeamEvent, now: number): Step {
  let next = 0;
  const { nextSeq, spent } = state.team;
  return step(state, event, {
    now,
    newId: () => `${nextSeq}.${spent.turns}.${state.members.size}.${next++}#`,
  });
}

export const specOf = (name: string, more: Partial<MemberSpec> = {}): MemberSpec => ({
  name,
  role: 'worker',
  harness: 'fake',
  agentId: null,
  instructions: '',
  folder: '/',
  worktree: null,
  budget: {},
  ...more,
});

export const outcome = (kind: TurnOutcome['kind'], more: Partial<TurnOutcome> = {}): TurnOutcome => ({
  kind,
  answer: null,
  error: kind === 'ok' ? null : 'it broke',
  activity: [],
  spent: { tokens: 0, usd: 0 },
  worked: false,
  ...more,
});

/** The first name is the root, which has a task; the others are its children. */
export function newTeam(
  [root = 'root', ...children]: readonly string[],
  limits: Partial<TeamLimits> = {},
): { state: TeamState; now: number } {
  const now = 1_000;
  let state: TeamState = {
    team: {
      id: 'team',
      name: 'team',
      workspace: 'w',
      state: 'running',
      startedBy: null,
      limits: { ...DEFAULT_LIMITS, ...limits },
      spent: NOTHING_SPENT,
      nextSeq: 1,
      createdAt: now,
    },
    members: new Map(),
    messages: new Map(),
    turns: new Map(),
  };
  const add = (name: string, parent: string | null): string => {
    const made = playOne(
      state,
      { type: 'add', parent, spec: specOf(name, parent === null ? { instructions: 'Begin.' } : {}) },
      now,
    );
    state = made.state;
    return made.answer.id ?? '';
  };
  const rootId = add(root, null);
  for (const child of children) add(child, rootId);
  return { state, now };
}
