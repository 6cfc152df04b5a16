import { messageOf } from '../../platform/text/error-message.ts';
import type { HarnessEvent, HarnessSession } from '../harness.ts';
import type { TurnOutcome } from '../state/turns.ts';
import type { TurnActivity } from '../state/team-state.ts';
import { TEAM_TOOLS } from '../team-tool-names.ts';

const MOST_ACTIVITY = 200;
const LONGEST_TITLE = 500;
/** Node fires longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface TurnLimits {
  /** Without any sign of life. */
  idleMs: number;
  totalMs: number;
}

/** Agents put the name of the server, or words of their own, around the names. */
const isTeamTool = (title: string): boolean => TEAM_TOOLS.some((name) => title.includes(name));

/** Runs one prompt until its answer, a timeout or the abort of the turn. Never rejects. */
export async function runTurn(
  session: HarnessSession,
  prompt: string,
  { idleMs, totalMs }: TurnLimits,
  stop: AbortSignal,
): Promise<TurnOutcome> {
  const timeout = new AbortController();
  const failAfter = (ms: number, why: string): NodeJS.Timeout =>
    setTimeout(() => timeout.abort(new Error(why)), Math.min(ms, LONGEST_TIMER_MS));
  const total = failAfter(totalMs, `the turn took longer than ${totalMs / 1000} s`);
  let idle: NodeJS.Timeout | undefined;
  const alive = (): void => {
    clearTimeout(idle);
    idle = failAfter(idleMs, `no sign of life for ${idleMs / 1000} s`);
  };
  alive();
  const activity: TurnActivity[] = [];
  let worked = false;
  const on = (event: HarnessEvent): void => {
    alive();
    if (event.type !== 'tool') return;
    if (!isTeamTool(event.title)) worked = true;
    if (activity.length < MOST_ACTIVITY)
      activity.push({ kind: event.kind, title: event.title.slice(0, LONGEST_TITLE), at: Date.now() });
  };
  try {
    const { text, spent } = await session.run(prompt, AbortSignal.any([stop, timeout.signal]), on);
    return { kind: 'ok', answer: text, error: null, activity, spent, worked };
  } catch (error) {
    return { ...failedOutcome(messageOf(error)), activity, worked };
  } finally {
    clearTimeout(total);
    clearTimeout(idle);
  }
}

export const failedOutcome = (error: string, kind: 'failed' | 'interrupted' = 'failed'): TurnOutcome => ({
  kind,
  answer: null,
  error,
  activity: [],
  spent: { tokens: 0, usd: 0 },
  worked: false,
});
