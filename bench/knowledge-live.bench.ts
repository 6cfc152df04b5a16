import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOperatorToken } from '../src/platform/home/access.ts';
import { type Call, createCaller, report, startServer, stopServer, timed } from './measure.ts';

const DOCUMENTS = 8000;
const ROUNDS = 1500;
const zoo = fileURLToPath(new URL('../zoo.js', import.meta.url));

const nouns =
  'queue service invoice deploy cache index token region cluster account ledger stream shard'.split(' ');
const verbs = 'restarts drains fails retries scales locks moves writes rejects measures'.split(' ');

/** Text that differs from document to document, and has words in common with all of them. */
function page(n: number): string {
  let seed = n * 2_654_435_761;
  const next = (list: readonly string[]): string => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return list[seed % list.length] ?? '';
  };
  const sentence = () =>
    `The ${next(nouns)} ${next(verbs)} the ${next(nouns)} when ${next(nouns)} ${n} ${next(verbs)}.`;
  const section = (title: string) => `## ${title}\n\n${Array.from({ length: 12 }, sentence).join(' ')}`;
  return `# Runbook ${n}\n\n${['Symptoms', 'Causes', 'Steps'].map(section).join('\n\n')}\n`;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zoo-bench-'));
  const workspace = join(folder, 'workspace');
  const home = join(folder, 'home');
  await mkdir(join(workspace, 'docs'), { recursive: true });
  await writeFile(join(workspace, 'zoo.toml'), '[connectors.filesystem.docs]\nroot = "docs"\n');
  for (let n = 0; n < DOCUMENTS; n += 1) await writeFile(join(workspace, 'docs', `${n}.md`), page(n));
  const env = { ...process.env, ZOO_HOME: home, ZOO_CONFIG_DIR: join(folder, 'config') };
  const args = ['--workspace', workspace, 'serve', '--no-open', '--port', '0'];
  const { url, child } = await startServer([zoo, ...args], env);
  try {
    const headers = { authorization: `Bearer ${readOperatorToken(home)}` };
    const callHealth = createCaller(url);
    const callSearch = createCaller(url);
    const callOther = createCaller(url);
    const health = () => callHealth({ method: 'GET', path: '/health' });
    const words = (n: number) =>
      `when does the ${nouns[n % nouns.length]} ${verbs[n % verbs.length]} runbook ${n}`;
    const searchCall = (n: number): Call => ({
      method: 'POST',
      path: '/tools/search',
      headers,
      body: JSON.stringify({ query: words(n), mode: 'keyword' }),
    });
    const state = async (): Promise<{ syncing: boolean; last_sync: string | null; documents: number }> => {
      const reply = JSON.parse(await callOther({ method: 'GET', path: '/api/knowledge/sources', headers }));
      return reply.sources[0];
    };
    const settle = async () => {
      for (let now = await state(); now.syncing || now.last_sync === null; now = await state())
        await pause(200);
    };
    const measure = async (until: (round: number) => boolean, withSearch: boolean) => {
      const samples = { health: [] as number[], search: [] as number[] };
      for (let round = 0; !until(round); round += 1) {
        const search = withSearch
          ? timed(() => callSearch(searchCall(round))).then((took) => samples.search.push(took))
          : null;
        samples.health.push(await timed(health));
        await search;
        await pause(2);
      }
      return samples;
    };

    const took = await timed(settle);
    console.log(
      `${(await state()).documents} documents synced by the hub itself in ${(took / 1000).toFixed(1)} s`,
    );
    await measure((round) => round >= 200, true);

    const idle = await measure((round) => round >= ROUNDS, false);
    const quiet = await measure((round) => round >= ROUNDS, true);

    const body = JSON.stringify({ full: true });
    let syncing = true;
    const sync = callOther({ method: 'POST', path: '/api/knowledge/sync', headers, body }).finally(() => {
      syncing = false;
    });
    const busy = await measure((round) => !syncing || round >= 20_000, true);
    await sync;

    report(
      'GET /health',
      {
        'nothing else happens': idle.health,
        'while somebody searches': quiet.health,
        'while somebody searches and a sync runs': busy.health,
      },
      'p99 within 10 ms of idle',
    );
    report(
      'POST /tools/search',
      { 'nothing else happens': quiet.search, 'while a sync runs': busy.search },
      'stays as fast',
    );
    console.log(`  (${busy.search.length} searches during the sync)`);
  } finally {
    await stopServer(child);
    await rm(folder, { recursive: true });
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

await main();
