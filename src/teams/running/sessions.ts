import { closeEach } from '../../platform/processes/resources.ts';
import type { HarnessSession } from '../harness.ts';

const SWEEP_MS = 30_000;

/** The running sessions of members, by member id. */
export interface MemberSessions {
  /**
   * The member's session for a turn; started or resumed if it does not run. It is kept until `rest`. Aborting `stop`
   * ends one that is still being opened.
   */
  get(member: string, stop: AbortSignal, open: OpenSession): Promise<HarnessSession>;
  /**
   * Opens the session of a member that will soon have a turn. Whether that works is seen in the turn. Returns one that
   * is open already.
   */
  warm(member: string, open: OpenSession): HarnessSession | undefined;
  /** The turn is over: from now on the session is idle. */
  rest(member: string): void;
  end(member: string): Promise<void>;
  close(): Promise<void>;
}

export type OpenSession = (signal: AbortSignal) => Promise<HarnessSession>;

interface Held {
  session: Promise<HarnessSession>;
  /** Once it is open. */
  opened?: HarnessSession;
  opening: AbortController;
  /** False once the process has ended, or could not be started. */
  isAlive(): boolean;
  /** Null in a turn. */
  idleSince: number | null;
}

/** Sessions that nobody used for `idleMs` are stopped; they are resumed when needed. */
export function createMemberSessions(
  idleMs: number,
  log: (message: string, error: unknown) => void,
): MemberSessions {
  const held = new Map<string, Held>();
  function hold(member: string, open: OpenSession): Held {
    const opening = new AbortController();
    const session = open(opening.signal);
    let hasFailed = false;
    const entry: Held = {
      session,
      opening,
      isAlive: () => !hasFailed && entry.opened?.isAlive() !== false,
      idleSince: null,
    };
    session.then(
      (opened) => (entry.opened = opened),
      () => (hasFailed = true),
    );
    held.set(member, entry);
    return entry;
  }
  const end = async (member: string): Promise<void> => {
    const entry = held.get(member);
    held.delete(member);
    entry?.opening.abort(new Error('the member was stopped'));
    const session = await entry?.session.catch(() => null);
    await session?.stop();
  };
  const sweep = setInterval(
    () => {
      const before = performance.now() - idleMs;
      for (const [member, { idleSince }] of held)
        if (idleSince !== null && idleSince < before)
          end(member).catch((error: unknown) => log('an idle session could not be stopped', error));
    },
    Math.min(SWEEP_MS, idleMs),
  ).unref();

  return {
    async get(member, stop, open) {
      const known = held.get(member);
      if (known && !known.isAlive()) await end(member);
      const entry = held.get(member) ?? hold(member, open);
      entry.idleSince = null;
      if (entry.opened) return entry.opened;
      const abort = (): void => entry.opening.abort(stop.reason);
      if (stop.aborted) abort();
      stop.addEventListener('abort', abort, { once: true });
      try {
        return await entry.session;
      } finally {
        stop.removeEventListener('abort', abort);
      }
    },
    warm(member, open) {
      // One that could not be opened is left to the turn, which reports why.
      const entry = held.get(member);
      if (entry) return entry.isAlive() ? entry.opened : undefined;
      hold(member, open).idleSince = performance.now();
      return undefined;
    },
    rest(member) {
      const entry = held.get(member);
      if (entry) entry.idleSince = performance.now();
    },
    end,
    async close() {
      clearInterval(sweep);
      const ends = [...held.keys()].map(end);
      await closeEach(ends.map((ended) => () => ended));
    },
  };
}
