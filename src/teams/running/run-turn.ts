import { messageOf } from '../../platform/text/error-message.ts';
import type { HarnessEvent, HarnessSession } from '../harness.ts';
import type { TurnOutcome } from '../state/turns.ts';
import type { TurnActivity } from '../state/team-state.ts';
import { TEAM_TOOLS } from '../team-tool-names.ts';

const MOST_ACTIVITY = 200;
const LONGEST_TITLE = 500;

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
  const give = (why: string) => () => timeout.abort(new Error(why));
  const total = setTimeout(give(`the turn took longer than ${totalMs / 1000} s`), totalMs);
  let idle: NodeJS.Timeout | undefined;
  const alive = (): void => {
    clearTimeout(idle);
    idle = setTimeout(give(`no sign of life for ${idleMs / 1000} s`), idleMs);
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
