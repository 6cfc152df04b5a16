import type { Harness, HarnessHost, HarnessSession, SessionLaunch } from '../harness.ts';

export interface SessionsOptions {
  host: HarnessHost;
  /** Throws for a harness that does not exist. */
  harness(name: string): Harness;
  /** Sessions that nobody used for so long are stopped; they are resumed when needed. */
  idleMs: number;
}

/** The running sessions of members, by member id. */
export interface MemberSessions {
  /** The member's session; started or resumed if it does not run. */
  get(member: string, harness: string, launch: () => Promise<SessionLaunch>): Promise<HarnessSession>;
  end(member: string): Promise<void>;
  close(): Promise<void>;
}

export function createMemberSessions({ host, harness, idleMs }: SessionsOptions): MemberSessions {
  const open = new Map<string, { session: HarnessSession; usedAt: number }>();
  const end = async (member: string): Promise<void> => {
    const held = open.get(member);
    open.delete(member);
    await held?.session.stop();
  };
  const sweep = setInterval(() => {
    const before = performance.now() - idleMs;
    for (const [member, { usedAt }] of open) if (usedAt < before) void end(member);
  }, 30_000).unref();

  return {
    async get(member, name, launch) {
      const held = open.get(member);
      if (held?.session.isAlive()) {
        held.usedAt = performance.now();
        return held.session;
      }
      await end(member);
      const session = await harness(name).open(await launch(), host);
      open.set(member, { session, usedAt: performance.now() });
      return session;
    },
    end,
    async close() {
      clearInterval(sweep);
      await Promise.all([...open.keys()].map(end));
    },
  };
}
