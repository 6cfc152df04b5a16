import type { HarnessSession } from '../harness.ts';

const SWEEP_MS = 30_000;

/** The running sessions of members, by member id. */
export interface MemberSessions {
  /** The member's session for a turn; started or resumed if it does not run. It is kept until `rest`. */
  get(member: string, start: () => Promise<HarnessSession>): Promise<HarnessSession>;
  /** The turn is over: from now on the session is idle. */
  rest(member: string): void;
  end(member: string): Promise<void>;
  close(): Promise<void>;
}

/** Sessions that nobody used for `idleMs` are stopped; they are resumed when needed. */
export function createMemberSessions(idleMs: number): MemberSessions {
  // A session in a turn has no time since when it is idle.
  const open = new Map<string, { session: HarnessSession; idleSince: number | null }>();
  const end = async (member: string): Promise<void> => {
    const held = open.get(member);
    open.delete(member);
    await held?.session.stop();
  };
  const sweep = setInterval(
    () => {
      const before = performance.now() - idleMs;
      for (const [member, { idleSince }] of open)
        if (idleSince !== null && idleSince < before) void end(member);
    },
    Math.min(SWEEP_MS, idleMs),
  ).unref();

  return {
    async get(member, start) {
      const held = open.get(member);
      if (held?.session.isAlive()) {
        held.idleSince = null;
        return held.session;
      }
      await end(member);
      const session = await start();
      open.set(member, { session, idleSince: null });
      return session;
    },
    rest(member) {
      const held = open.get(member);
      if (held) held.idleSince = performance.now();
    },
    end,
    async close() {
      clearInterval(sweep);
      await Promise.all([...open.keys()].map(end));
    },
  };
}
