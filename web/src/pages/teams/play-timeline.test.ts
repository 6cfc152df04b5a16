import { expect, it } from 'vitest';
import type { TeamMember, TeamMessage } from '../../../../src/contract/team.ts';
import { playTimeline } from './play-timeline.ts';

const at = '2026-11-16T08:00:00Z';
const member = (name: string): TeamMember => ({
  id: `id-${name}`,
  name,
  parent: name === 'root' ? null : 'root',
  parentId: name === 'root' ? null : 'id-root',
  role: name === 'root' ? 'root' : 'worker',
  harness: 'fake',
  agentId: null,
  folder: '/tmp',
  state: 'done',
  reason: null,
  budget: {},
  spent: { tokens: 0, usd: 0, turns: 0 },
  unread: 0,
  worktree: null,
});
const message = (id: string, seq: number): TeamMessage => ({
  id,
  seq,
  from: 'root',
  to: 'scout',
  kind: 'task',
  text: 'Look around.',
  state: 'answered',
  waitsForReply: false,
  replyTo: null,
  broadcast: null,
  reason: null,
  at,
});

it('shows members since they joined, and messages with the receipt of that moment', () => {
  const entries = [
    { seq: 1, at, type: 'member' as const, member: 'root', state: 'busy' as const, reason: null },
    { seq: 2, at, type: 'message' as const, state: 'queued' as const, message: message('m1', 1) },
    { seq: 3, at, type: 'member' as const, member: 'scout', state: 'idle' as const, reason: null },
    { seq: 4, at, type: 'message' as const, state: 'delivered' as const, message: message('m1', 1) },
  ];
  const members = [member('root'), member('scout')];
  expect(playTimeline(members, entries.slice(0, 2))).toMatchObject({
    members: [{ name: 'root', state: 'busy' }],
    messages: [{ id: 'm1', state: 'queued' }],
    lit: ['root', 'scout'],
  });
  expect(playTimeline(members, entries)).toMatchObject({
    members: [{ name: 'root' }, { name: 'scout', state: 'idle' }],
    messages: [{ id: 'm1', state: 'delivered' }],
  });
  expect(playTimeline(members, [])).toEqual({ members: [], messages: [], lit: [] });
});
