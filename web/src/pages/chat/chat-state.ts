import type { Chat, ChatEvent, ChatTurn } from '../../../../src/contract/chat.ts';
import { NO_USAGE } from '../../../../src/contract/run.ts';
import { addRunEvent, NEW_RUN, type RunView } from '../../runs/run-view.ts';

/** A chat as the page knows it: its turns, and what was seen live of the newest ones. */
export interface ChatState {
  chat: Chat;
  runs: Readonly<Record<string, RunView>>;
}

/** Turns of the current branch, oldest first. */
export function branchTurns({ history, head }: Chat): ChatTurn[] {
  const byId = new Map(history.map((turn) => [turn.runId, turn]));
  const branch: ChatTurn[] = [];
  for (let turn = byId.get(head ?? ''); turn; turn = byId.get(turn.previous ?? '')) branch.push(turn);
  return branch.toReversed();
}

/** The turns that continue the same one: the branches at this place, oldest first. */
export const siblingsOf = ({ history }: Chat, { previous }: ChatTurn): ChatTurn[] =>
  history.filter((turn) => turn.previous === previous);

/** The newest turn below this one: where a branch was left. */
export function newestBelow({ history }: Chat, runId: string): string {
  const below = new Set([runId]);
  let newest = runId;
  for (const turn of history) {
    if (turn.previous === null || !below.has(turn.previous)) continue;
    below.add(turn.runId);
    newest = turn.runId;
  }
  return newest;
}

/** Applies one event of the chat. */
export function addChatEvent(state: ChatState, { runId, event }: ChatEvent): ChatState {
  if (event.type === 'turn-started') {
    const { chat } = state;
    if (chat.history.some((turn) => turn.runId === runId)) return state;
    const turn: ChatTurn = {
      runId,
      turn: event.turn,
      previous: event.previous,
      state: 'queued',
      model: null,
      input: event.input,
      text: '',
      steps: 0,
      usage: NO_USAGE,
      error: null,
      createdAt: new Date().toISOString(),
      endedAt: null,
    };
    return { ...state, chat: { ...chat, history: [...chat.history, turn], head: runId } };
  }
  const run = addRunEvent(state.runs[runId] ?? NEW_RUN, event);
  const next = { ...state, runs: { ...state.runs, [runId]: run } };
  if (event.type === 'error') return changeTurn(next, runId, { error: run.error });
  if (event.type !== 'done') return next;
  const { text, steps, usage } = event;
  const ended = { state: event.state, text, steps, usage, error: run.error, model: run.model };
  // Events of a turn that had ended before this page was opened are told again: its row knows when it ended.
  const known = state.chat.history.find((turn) => turn.runId === runId)?.endedAt;
  return changeTurn(next, runId, { ...ended, endedAt: known ?? new Date().toISOString() });
}

function changeTurn(state: ChatState, runId: string, change: Partial<ChatTurn>): ChatState {
  const history = state.chat.history.map((turn) => (turn.runId === runId ? { ...turn, ...change } : turn));
  return { ...state, chat: { ...state.chat, history } };
}

/** The chat as the hub has it now. Turns that were seen to end since it was read stay ended. */
export function adoptChat(before: ChatState | null, chat: Chat): ChatState {
  if (!before) return { chat, runs: {} };
  const known = new Map(before.chat.history.map((turn) => [turn.runId, turn]));
  const history = chat.history.map((turn) => {
    const seen = known.get(turn.runId);
    return seen && isActive(turn.state) && !isActive(seen.state) ? seen : turn;
  });
  const later = before.chat.history.filter(({ turn }) => turn > (history.at(-1)?.turn ?? 0));
  const head = later.at(-1)?.runId ?? chat.head;
  return { chat: { ...chat, history: [...history, ...later], head }, runs: before.runs };
}

const ACTIVE = new Set(['queued', 'running', 'waiting']);

/** The state of a turn: what was seen live counts, as long as it is under way. */
function turnState({ runs }: ChatState, turn: ChatTurn): ChatTurn['state'] {
  const live = runs[turn.runId];
  return ACTIVE.has(turn.state) && live ? live.state : turn.state;
}

interface LastTurn {
  /** Null while nothing was sent. */
  now: ChatTurn['state'] | null;
  /** What was seen of it live. */
  live: RunView | undefined;
}

/** The newest turn: the only one that can be under way. */
export function lastTurn(state: ChatState): LastTurn {
  const last = state.chat.history.at(-1);
  if (last === undefined) return { now: null, live: undefined };
  return { now: turnState(state, last), live: state.runs[last.runId] };
}

export const isActive = (state: ChatTurn['state'] | null): boolean => state !== null && ACTIVE.has(state);

/** A turn without live events, as far as its row tells: its answer. */
export function storedRun(turn: ChatTurn): RunView {
  return {
    model: turn.model,
    notes: [],
    usage: turn.usage,
    state: turn.state,
    error: turn.error,
    steps:
      turn.text === '' ? [] : [{ step: 1, usage: null, items: [{ kind: 'text', part: 0, text: turn.text }] }],
  };
}

/** Whether its events have more to show than its row: tool calls, reasoning, what happened before it ended early. */
export const hasDetails = ({ steps, usage, state }: ChatTurn): boolean =>
  steps > 1 || usage.reasoningTokens > 0 || state !== 'completed';
