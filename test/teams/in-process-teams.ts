import type { Database } from '../../src/platform/store/database.ts';
import type { Harness, HarnessSession } from '../../src/teams/harness.ts';
import { createTeamStore } from '../../src/teams/team-store.ts';
import { createTeams, type Teams, type TeamsOptions } from '../../src/teams/teams.ts';

/** Teams without a hub, whose members start no processes. */
export function openTeams(
  db: Database,
  options: Pick<TeamsOptions, 'harness'> & Partial<TeamsOptions>,
): Teams {
  const now = (): Date => new Date();
  const nowhere = async (): Promise<never> => {
    throw new Error('no process is started here');
  };
  return createTeams({
    db,
    store: createTeamStore(db, now),
    owner: 'hub',
    now,
    env: {},
    confine: () => nowhere,
    worktrees: { prepare: async () => undefined, merge: nowhere, remove: nowhere },
    isConfined: () => false,
    homeOf: (member) => ({ outside: member, inside: member }),
    bridge: async () => ({ command: '', args: [], env: {} }),
    cleanUp: async () => undefined,
    slots: () => ({ total: 4, of: () => 4 }),
    turnLimits: () => ({ idleMs: 600_000, totalMs: 600_000 }),
    idleSessionMs: 600_000,
    address: () => 'http://127.0.0.1:1/mcp/team',
    persona: async () => '',
    scopeOf: async () => [],
    permit: async () => ({ isAllowed: true }),
    log: (message, error) => console.error(message, error),
    ...options,
  });
}

/** A harness whose turns are functions in this process. `opened` is called with the name of each member. */
export function inProcess(
  turn: (member: string, prompt: string) => Promise<void>,
  opened: (member: string) => void = () => undefined,
): Harness {
  return {
    name: 'fake',
    command: [],
    readable: [],
    hosts: [],
    missing: async () => null,
    probe: async () => ({ installed: true, version: null, missing: null }),
    async open({ member: { name } }): Promise<HarnessSession> {
      opened(name);
      return {
        id: `session of ${name}`,
        isAlive: () => true,
        stop: async () => undefined,
        async run(prompt, signal) {
          const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          await Promise.race([turn(name, prompt), stopped]);
          return { text: '', spent: { tokens: 0, usd: 0 } };
        },
      };
    },
  };
}
