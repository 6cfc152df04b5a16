import type { Member } from '../state/team-state.ts';
import { nextDeadline, readyMembers } from '../state/turns.ts';
import type { TeamActor } from '../team-actor.ts';
import { createSlots, type SlotLimits } from './slots.ts';

const LONGEST_TIMER_MS = 2 ** 30;
/** Turns often end one shortly after another; what a session stores would delay the next of them. */
const WARM_MS = 10;

export interface SchedulerOptions {
  teams(): TeamActor[];
  slots(): SlotLimits;
  /** False while no turn can run. */
  isReady(): boolean;
  /** Opens the session of a member that has a slot, or will have the next one. Returns its native id if it is open. */
  warm(actor: TeamActor, member: string): string | undefined;
  now: () => number;
  log(message: string, error: unknown): void;
}

/** Starts turns while slots are free, and wakes senders whose replies are overdue. */
export interface Scheduler {
  /** Looks for members that can start a turn. */
  schedule(): void;
  /** A turn is over: its slot is free. */
  ended(harness: string): void;
  close(): void;
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { teams, slots: limits, isReady, now, log } = options;
  const slots = createSlots(limits);
  const starting = new Set<string>();
  /** When each team last had a slot, as a number that grows. */
  const served = new WeakMap<TeamActor, number>();
  let turnNumber = 0;
  let closing = false;
  let timer: NodeJS.Timeout | undefined;
  let warming: NodeJS.Timeout | undefined;
  const quietly = (work: Promise<unknown>, what: string): void =>
    void work.catch((error: unknown) => {
      if (!closing) log(what, error);
    });

  async function begin(actor: TeamActor, { id, harness }: Member): Promise<void> {
    let started: boolean | undefined = false;
    try {
      // What the session needs to be stored shares the commit.
      const session = options.warm(actor, id);
      ({ started } = await actor.dispatch({ type: 'start-turn', member: id, session }));
    } finally {
      starting.delete(id);
      if (!started) slots.free(harness);
    }
    // Ending the member may have woken its parent while this slot was still taken.
    if (!started) schedule();
  }
  /**
   * One member of each team in turn, beginning with the team that has waited longest, so that a large team does not keep
   * a small one waiting. Returns those that have the next slots.
   */
  function startTurns(): { actor: TeamActor; member: string }[] {
    const queues = teams()
      .map((actor) => ({ actor, ready: readyMembers(actor.state()) }))
      .toSorted((a, b) => (served.get(a.actor) ?? 0) - (served.get(b.actor) ?? 0));
    const next: { actor: TeamActor; member: string }[] = [];
    for (let some = true; some;) {
      some = false;
      for (const { actor, ready } of queues) {
        if (next.length >= limits().total) return next;
        const id = ready.shift();
        const member = id === undefined ? undefined : actor.state().members.get(id);
        if (!member) continue;
        some = true;
        if (starting.has(member.id)) continue;
        if (!slots.hasRoom()) {
          next.push({ actor, member: member.id });
        } else if (slots.take(member.harness)) {
          starting.add(member.id);
          served.set(actor, ++turnNumber);
          quietly(begin(actor, member), 'a turn could not be started');
        }
      }
    }
    return next;
  }
  function setTimer(): void {
    clearTimeout(timer);
    const due = teams().flatMap((actor) => nextDeadline(actor.state()) ?? []);
    if (closing || due.length === 0) return;
    const wait = Math.max(0, Math.min(...due) - now());
    timer = setTimeout(tick, Math.min(wait, LONGEST_TIMER_MS)).unref();
  }
  function tick(): void {
    for (const actor of teams()) {
      if ((nextDeadline(actor.state()) ?? Infinity) <= now()) {
        quietly(actor.dispatch({ type: 'tick' }), 'a deadline could not be recorded');
      }
    }
  }
  function schedule(): void {
    if (closing) return;
    if (isReady() && startTurns().length > 0) warming ??= setTimeout(warmNext, WARM_MS).unref();
    setTimer();
  }
  function warmNext(): void {
    warming = undefined;
    if (closing || !isReady()) return;
    for (const { actor, member } of startTurns()) options.warm(actor, member);
  }

  return {
    schedule,
    ended(harness) {
      slots.free(harness);
      // Its end is not stored yet; `schedule` follows once it is, and opens sessions ahead.
      if (!closing && isReady()) startTurns();
    },
    close() {
      closing = true;
      clearTimeout(timer);
      clearTimeout(warming);
    },
  };
}
