import { describe, expect, it } from 'vitest';
import type { Chat, ChatTurn } from '../../../../src/contract/chat.ts';
import { NO_USAGE } from '../../../../src/contract/run.ts';
import {
  addChatEvent,
  adoptChat,
  branchTurns,
  type ChatState,
  newestBelow,
  siblingsOf,
} from './chat-state.ts';

const at = '2026-01-01T00:00:00.000Z';
const turnOf = (
  number: number,
  previous: string | null,
  state: ChatTurn['state'] = 'completed',
): ChatTurn => ({
  runId: `r${number}`,
  turn: number,
  previous,
  state,
  model: null,
  input: [{ type: 'text', text: `Question ${number}` }],
  text: '',
  steps: 1,
  usage: NO_USAGE,
  error: null,
  createdAt: at,
  endedAt: null,
});
const chatOf = (history: ChatTurn[], head: string | null): Chat => ({
  id: 'c',
  agentId: 'ada',
  workspace: 'w',
  title: '',
  caller: 'operator',
  surface: 'web',
  models: null,
  headless: false,
  revision: null,
  isDraft: false,
  definition: null,
  outputSchema: null,
  head,
  state: null,
  turns: history.length,
  createdAt: at,
  updatedAt: at,
  arguments: {},
  approvals: [],
  history,
  branch: [],
});
const done = { type: 'done', state: 'completed', text: 'Yes.', steps: 1, usage: NO_USAGE } as const;

describe('a chat in the page', () => {
  it('has the turns of the current branch, and knows the others', () => {
    const chat = chatOf([turnOf(1, null), turnOf(2, 'r1'), turnOf(3, 'r1'), turnOf(4, 'r2')], 'r3');
    expect(branchTurns(chat).map(({ runId }) => runId)).toEqual(['r1', 'r3']);
    expect(siblingsOf(chat, turnOf(3, 'r1')).map(({ runId }) => runId)).toEqual(['r2', 'r3']);
    expect(newestBelow(chat, 'r2')).toBe('r4');
  });

  it('adds a turn once, and its answer', () => {
    const start = { type: 'turn-started', turn: 1, previous: null, input: [] } as const;
    const empty: ChatState = { chat: chatOf([], null), runs: {} };
    const events = [start, start, done].map((event, index) => ({
      seq: index + 1,
      runId: 'r1',
      event: { ...event },
    }));
    const state = events.reduce<ChatState>((now, { seq, runId, event }) => {
      if (event.type === 'turn-started')
        return addChatEvent(now, { seq, runId, event: { ...event, input: [] } });
      return addChatEvent(now, { seq, runId, event });
    }, empty);
    expect(state.chat.head).toBe('r1');
    expect(state.chat.history).toMatchObject([{ runId: 'r1', state: 'completed', text: 'Yes.' }]);
  });

  it('keeps what it has seen when an older answer of the hub comes late', () => {
    const seen: ChatState = { chat: chatOf([turnOf(1, null), turnOf(2, 'r1')], 'r2'), runs: {} };
    const late = adoptChat(seen, { ...chatOf([turnOf(1, null, 'running')], 'r1'), title: 'Named' });
    expect(late.chat).toMatchObject({ title: 'Named', head: 'r2' });
    expect(late.chat.history.map(({ state }) => state)).toEqual(['completed', 'completed']);
  });
});
