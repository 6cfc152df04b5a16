import { expect, test } from 'vitest';
import { isShownAt } from './is-shown-at.ts';

const approval = {
  kind: 'approval',
  asker: { kind: 'run', id: 'r1' },
  details: { runId: 'r1', chatId: 'c1' },
} as const;
const form = { ...approval, kind: 'elicitation' } as const;
const formOfCall = { kind: 'elicitation', asker: { kind: 'call', id: 'x' }, details: {} } as const;
const permission = {
  kind: 'permission',
  asker: { kind: 'member', id: 'm1' },
  details: { teamId: 't1', team: 'Crew' },
} as const;

test.each([
  ['/home', permission, true],
  ['/', approval, false],
  ['/chat/c1', form, true],
  ['/chat/c2', form, false],
  ['/chat', formOfCall, false],
  ['/chat/c2', approval, true],
  ['/runs', approval, false],
  ['/runs/r1', approval, true],
  ['/runs/r2', approval, false],
  ['/teams', permission, false],
  ['/teams/t1', permission, true],
  ['/teams/t2', permission, false],
  ['/teams/t1', approval, false],
])('%s: %o is shown: %s', (path, question, shown) => {
  expect(isShownAt(path, question)).toBe(shown);
});
