import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TeamDetails } from '../../src/contract/team.ts';
import { readOperatorToken } from '../../src/platform/home/access.ts';
import { homeFiles } from '../../src/platform/home/paths.ts';
import { tempHome } from '../zoo-command.ts';
import { ownConfig, poll, readNotes, type Seen } from './team-stage.ts';

/** `zoo serve` as a process, on a home that outlives it. */
export async function stageKilledHub(team = '') {
  const home = await tempHome();
  const [zooHome, config] = [String(home.env['ZOO_HOME']), String(home.env['ZOO_CONFIG_DIR'])];
  const oracle = join(home.path, 'oracle.jsonl');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'zoo.toml'), ownConfig(oracle, team));
  let hub = await home.serve();
  const seen = (): Seen[] => readNotes(oracle);

  async function request<T>(path: string, body?: object): Promise<T> {
    const authorization = `Bearer ${readOperatorToken(zooHome) ?? ''}`;
    const response = await fetch(hub.url + path, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text);
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = once(hub.child, 'exit');
    hub.child.kill(signal);
    await ended;
  }

  return {
    path: home.path,
    seen,
    request,
    until: (what: string, isThere: (seen: readonly Seen[]) => boolean) =>
      poll(what, async () => seen(), isThere),
    untilTeam: (id: string, isThere: (team: TeamDetails) => boolean) =>
      poll('the team', () => request<TeamDetails>(`/api/teams/${id}`), isThere),
    /** The hub has noted the process on disk, by which the next hub finds it. */
    recorded: (pid: number) =>
      poll(
        `the record of process ${pid}`,
        async () => existsSync(join(homeFiles(zooHome).processes, `${pid}.json`)),
        (isThere) => isThere,
      ),
    kill: () => end('SIGKILL'),
    /** Members end with a hub that is stopped in order. */
    end: () => end('SIGTERM'),
    async serve() {
      hub = await home.serve();
    },
    async [Symbol.asyncDispose]() {
      if (hub.child.exitCode === null && hub.child.signalCode === null) await end('SIGTERM');
      await home[Symbol.asyncDispose]();
    },
  };
}
