import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readOperatorToken } from '../src/platform/home/access.ts';
import type { Database } from '../src/platform/store/database.ts';
import { openSqlite } from '../src/platform/store/databases/sqlite.ts';
import { specOf } from '../src/teams/play-team.ts';
import { DEFAULT_LIMITS } from '../src/teams/state/team-state.ts';
import type { Teams } from '../src/teams/teams.ts';
import { inProcess, openTeams } from '../test/teams/in-process-teams.ts';
import { compare, median, report, startServer, stopServer, timed } from './measure.ts';

const zoo = fileURLToPath(new URL('../zoo.js', import.meta.url));
const fakeAgent = fileURLToPath(new URL('../../test/teams/fake-acp-agent.js', import.meta.url));

/**
 * Real agents work for seconds; the short turns show what the hub needs in between. Turns of the same length end in all
 * slots at once, which is the worst case: each hand-over waits for those before it.
 */
const TURNS_MS = [
  [40, 40],
  [20, 60],
  [200, 200],
] as const;
type TurnMs = (typeof TURNS_MS)[number];
const WAITING = 50;
const SLOTS = 4;
const ROUNDS = 5;
const IDLE = 500;

const limits = {
  ...DEFAULT_LIMITS,
  members: 2_000,
  children: 2_000,
  callsPerMinute: 1_000_000,
  budget: {},
};

/** Turns are pauses in this process, so that only the hub's own work is measured. */
const pausing = (db: Database, pause: () => Promise<void>): Teams => {
  const harness = inProcess(pause);
  return openTeams(db, { harness: () => harness, slots: () => ({ total: SLOTS, of: () => SLOTS }) });
};

const TEXT = 'Please look at the failing test in src/store, and tell me what you find.';

const commitOne = (db: Database): Promise<unknown> =>
  db.transaction((tx) => tx.run('INSERT INTO bench_rows (text) VALUES (?)', [TEXT]));

/** Each sender waits until its message is on disk, as a member does. */
async function routedMessages(db: Database): Promise<void> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const teams = pausing(db, () => held);
  const members = [{ ...specOf('root'), role: 'root' as const, instructions: 'Go.' }, specOf('other')];
  const { id } = await teams.start({ name: 'mail', workspace: 'w', startedBy: null, limits, members });
  const actor = teams.actor(id);
  if (!actor) throw new Error('the team does not run');
  const root = [...actor.state().members.values()][0]?.id ?? '';
  while (actor.state().members.get(root)?.state !== 'busy') await sleep(5);
  const samples = await compare(400, {
    'a durable commit': () => commitOne(db),
    'a routed message': () =>
      actor.dispatch({ type: 'send', from: root, to: 'other', text: TEXT, sync: false, replyTo: null }),
  });
  report('One message after another', samples, 'at least half as many as commits: 2.00×');
  // The recipient reads all of them later: only the routing is measured.
  await actor.dispatch({ type: 'stop', member: root, reason: 'done' });
  release();
  await teams.close();
}

/**
 * The share of slot time in which a turn runs, from when 50 members are ready until the last of them has its slot:
 * after that, slots are empty because nobody is left. Each turn is the first of its member, and opens a session.
 */
async function slotUse(db: Database, [least, most]: TurnMs): Promise<{ use: number; emptyMs: number }> {
  const turns: { from: number; to: number }[] = [];
  let last = (): void => undefined;
  const allEnded = new Promise<void>((resolve) => (last = resolve));
  let ended = 0;
  const teams = pausing(db, async () => {
    const turn = { from: performance.now(), to: Infinity };
    turns.push(turn);
    // Every length is as frequent as the others.
    await sleep(least + ((turns.length * 17) % (most - least + 1)));
    turn.to = performance.now();
    if (++ended === WAITING) last();
  });
  const members = Array.from({ length: WAITING }, (_, n) => ({ ...specOf(`m${n}`), instructions: 'Go.' }));
  await teams.start({ name: `slots ${least}`, workspace: 'w', startedBy: null, limits, members });
  const readyAt = performance.now();
  await allEnded;
  await teams.close();
  const emptyAt = Math.max(...turns.map(({ from }) => from));
  const working = turns.reduce((sum, { from, to }) => sum + Math.min(to, emptyAt) - from, 0);
  const starts = turns.map(({ from }) => from).toSorted((a, b) => a - b);
  const ends = turns.map(({ to }) => to).toSorted((a, b) => a - b);
  return {
    use: working / ((emptyAt - readyAt) * SLOTS),
    emptyMs: median(starts.slice(SLOTS).map((start, n) => start - (ends[n] ?? start))),
  };
}

async function slotUses(db: Database, turnMs: TurnMs): Promise<void> {
  const rounds: { use: number; emptyMs: number }[] = [];
  const commits: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push(await slotUse(db, turnMs));
    for (let n = 0; n < 20; n++) commits.push(await timed(() => commitOne(db)));
  }
  const uses = rounds.map(({ use }) => use);
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const emptyMs = median(rounds.map((round) => round.emptyMs));
  console.log(
    `\n${WAITING} ready members on ${SLOTS} slots, turns of ${[...new Set(turnMs)].join(' to ')} ms   (goal: at least 95 %)`,
  );
  console.log(
    `  slots in use ${percent(median(uses))} of the time (${percent(Math.min(...uses))} to ${percent(Math.max(...uses))} in ${ROUNDS} rounds)`,
  );
  console.log(
    `  a slot is empty for ${emptyMs.toFixed(1)} ms between two turns; a durable commit takes ${median(commits).toFixed(2)} ms`,
  );
}

async function idleMemory(db: Database): Promise<void> {
  const teams = pausing(db, async () => undefined);
  globalThis.gc?.();
  const before = process.memoryUsage();
  const members = Array.from({ length: IDLE }, (_, n) => specOf(`idle${n}`));
  await teams.start({ name: 'idle', workspace: 'w', startedBy: null, limits, members });
  globalThis.gc?.();
  const after = process.memoryUsage();
  const kb = (key: 'rss' | 'heapUsed'): string => ((after[key] - before[key]) / 1024 / IDLE).toFixed(1);
  console.log(`\n${IDLE} idle members without a process`);
  console.log(`  ${kb('heapUsed')} kB of heap and ${kb('rss')} kB of memory each`);
  await teams.close();
}

/** From the request of the operator to the prompt in the process of a member that is warm. */
async function sendToPrompt(folder: string): Promise<void> {
  const config = join(folder, 'config');
  const home = join(folder, 'acp-home');
  const oracle = join(folder, 'oracle.jsonl');
  await mkdir(config, { recursive: true });
  const command = JSON.stringify([process.execPath, fakeAgent]);
  await writeFile(
    join(config, 'zoo.toml'),
    `[team]\nsandbox = "off"\nbudget = { turns = 100000 }\n[harness.fake]\ncommand = ${command}\nenv = { ORACLE = ${JSON.stringify(oracle)} }\n`,
  );
  const env = { ...process.env, ZOO_HOME: home, ZOO_CONFIG_DIR: config, NODE_EXTRA_CA_CERTS: undefined };
  const { url, child } = await startServer([zoo, 'serve', '--port', '0', '--no-open'], env, folder);
  const post = async (path: string, body: object): Promise<string> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${readOperatorToken(home) ?? ''}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return response.text();
  };
  const prompts = (): { prompt?: string; finished?: string; at: number }[] =>
    existsSync(oracle)
      ? readFileSync(oracle, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) await sleep(10);
  };
  try {
    await post('/api/teams', { name: 'warm', members: [{ name: 'root', harness: 'fake', task: 'ready' }] });
    await until(() => prompts().some(({ finished }) => finished?.includes('ready')));
    const samples: number[] = [];
    for (let n = 0; n < 60; n++) {
      await sleep(60);
      const sentAt = performance.timeOrigin + performance.now();
      await post('/api/teams/warm/messages', { to: 'root', text: `number-${n}-` });
      await until(() => prompts().some(({ finished }) => finished?.includes(`number-${n}-`)));
      const { at = Number.NaN } = prompts().find(({ prompt }) => prompt?.includes(`number-${n}-`)) ?? {};
      if (n >= 10) samples.push(at - sentAt);
    }
    console.log(`\nFrom send to the prompt in a warm ACP process   (goal: p50 at most 20 ms)`);
    console.log(`  ${median(samples).toFixed(1)} ms p50`);
  } finally {
    await stopServer(child);
  }
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zoo-bench-'));
  const db = await openSqlite(join(folder, 'bench.db'), { threads: true });
  try {
    await db.transaction((tx) => tx.run('CREATE TABLE bench_rows (text TEXT)'));
    await routedMessages(db);
    for (const turnMs of TURNS_MS) await slotUses(db, turnMs);
    await idleMemory(db);
    await sendToPrompt(folder);
  } finally {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
