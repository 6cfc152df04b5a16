import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import type { TeamDetails, TeamMessage } from '../../src/contract/team.ts';
import { PATIENCE } from '../patience.ts';
import { type RunningHub, startHub, type StartOptions } from '../start-hub.ts';

const FAKE_AGENT = fileURLToPath(new URL('fake-acp-agent.js', import.meta.url));

/** A line of the file in which the fake agents note what they saw. */
export interface Seen {
  prompt?: string;
  /** The prompt of a turn that the agent finished. */
  finished?: string;
  /** The id of a session that was resumed. */
  loaded?: string;
  session?: string;
  pid?: number;
  tool?: string;
  args?: Record<string, unknown>;
  result?: Record<string, unknown>;
  [more: string]: unknown;
}

export interface TeamStage extends AsyncDisposable {
  hub: RunningHub;
  seen(): Seen[];
  /** Waits until the notes contain what is looked for. */
  until(what: string, isThere: (seen: readonly Seen[]) => boolean): Promise<Seen[]>;
  start(task: string, more?: Record<string, unknown>): Promise<TeamDetails>;
  team(id: string): Promise<TeamDetails>;
  untilTeam(id: string, isThere: (team: TeamDetails) => boolean): Promise<TeamDetails>;
  messages(id: string): Promise<TeamMessage[]>;
}

export const ownConfig = (oracle: string, more = ''): string =>
  `[team]\nsandbox = "off"\n${more}\n[harness.fake]\ncommand = [${JSON.stringify(process.execPath)}, ${JSON.stringify(FAKE_AGENT)}]\nenv = { ORACLE = ${JSON.stringify(oracle)} }\n`;

/** A hub with a harness whose agents do what their messages say. */
export async function stageTeam(
  options: StartOptions & {
    team?: string;
    files?: Record<string, string>;
    /** More harnesses, which note what they see in the file. */
    harnesses?: (oracle: string) => string;
  } = {},
): Promise<TeamStage> {
  const { team = '', files = {}, own = {}, harnesses, ...rest } = options;
  const { tempFolder } = await import('../temp-folder.ts');
  const notes = await tempFolder();
  const oracle = join(notes.path, 'oracle.jsonl');
  const hub = await startHub(files, {
    ...rest,
    own: { 'zoo.toml': `${ownConfig(oracle, team)}${harnesses?.(oracle) ?? ''}`, ...own },
  });
  hub.hub.announce(hub.url);
  const seen = (): Seen[] => readNotes(oracle);
  const details = async (id: string): Promise<TeamDetails> =>
    (await hub.request('GET', `/api/teams/${id}`)).body;
  return {
    hub,
    seen,
    until: (what, isThere) => poll(what, async () => seen(), isThere),
    async start(task, more = {}) {
      const body = { members: [{ name: 'root', harness: 'fake', task, ...more }] };
      const { status, body: started } = await hub.request('POST', '/api/teams', body);
      if (status !== 201) throw new Error(JSON.stringify(started));
      return started;
    },
    team: details,
    untilTeam: (id, isThere) => poll('the team', () => details(id), isThere),
    messages: async (id) => (await hub.request('GET', `/api/teams/${id}/messages?limit=1000`)).body.messages,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await notes[Symbol.asyncDispose]();
    },
  };
}

export function readNotes(oracle: string): Seen[] {
  if (!existsSync(oracle)) return [];
  // The last line may still be in the middle of being written.
  return readFileSync(oracle, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** As `expect.poll`, for a value that the test goes on with. A turn starts processes, so it may take longer. */
export const poll = <T>(what: string, get: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> =>
  vi.waitFor(
    async () => {
      const value = await get();
      if (isThere(value)) return value;
      throw new Error(`waited in vain for ${what}: ${JSON.stringify(value).slice(-4000)}`);
    },
    { ...PATIENCE, timeout: 90_000 },
  );
