import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { builtinsOfCommonJs } from '../../scripts/bundle-plugins.js';
import { bundleOptions } from '../../scripts/bundle.js';
import { campaignSize } from '../campaign.ts';
import { contentOf, syncedIndex } from './synced-index.ts';
import { tempFolder } from '../temp-folder.ts';

const KILLS = campaignSize(8, 50);
const FILES = 260;
const root = fileURLToPath(new URL('../..', import.meta.url));

async function buildWriter(): Promise<string> {
  const outdir = `${root}dist/test/sync-writer`;
  // With its packages, and in parts, of which it reads those that it needs: it is started often.
  await build({
    ...bundleOptions(),
    entryPoints: [`${root}test/knowledge/sync-writer.ts`],
    outdir,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    plugins: [builtinsOfCommonJs],
  });
  return join(outdir, 'sync-writer.mjs');
}

/** Kills it after so many changes, and a moment. True if that was before its end. */
async function killAfter(writer: string, args: string[], changes: number, ms: number): Promise<boolean> {
  const child = spawn(process.execPath, [writer, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let seen = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    if (seen >= changes) setTimeout(() => child.kill('SIGKILL'), ms);
  });
  await closed;
  return child.signalCode === 'SIGKILL';
}

it(`is the same as one built fresh after ${KILLS} kills in mid-sync`, { timeout: 600_000 }, async () => {
  const writer = await buildWriter();
  await using home = await tempFolder();
  await using docs = await tempFolder();
  const text = (n: number, round: number) =>
    `# Note ${n}\n\n${Array.from({ length: 6 }, (_, at) => `Line ${at} of note ${n} in round ${round}.`).join('\n')}\n\n## More\n\nThe same in every round, for note ${n}.\n`;
  for (const place of ['new', 0, 1, 2, 3, 4, 5, 6]) mkdirSync(join(docs.path, String(place)));
  const write = (path: string, content: string) => writeFileSync(join(docs.path, path), content);
  for (let n = 0; n < FILES; n++) write(`${n % 7}/${n}.md`, text(n, 0));

  const random = createRandom(7);
  const some = () => Math.floor(random() * FILES);
  const index = syncedIndex(home.path, 'filesystem', docs.path, { root: '.' });
  await index.sync({ dryRun: true });
  let killed = 0;
  let before = contentOf(index.file);
  let halfway = 0;
  for (let round = 1; killed < KILLS; round++) {
    // Each round something is new, changed, moved and gone, whatever the one before has got done of it.
    for (let edits = 0; edits < 150; edits++) {
      const n = some();
      const path = `${n % 7}/${n}.md`;
      const kind = random();
      if (kind < 0.5) write(path, text(n, round));
      else if (kind < 0.7) rmSync(join(docs.path, path), { force: true });
      else if (kind >= 0.85) write(`new/${round % 3}-${edits}.md`, text(n, round));
      else if (existsSync(join(docs.path, path)))
        renameSync(join(docs.path, path), join(docs.path, `${some() % 7}/moved-${n}.md`));
    }
    const wasKilled = await killAfter(writer, [home.path, docs.path], 1 + random() * 220, random() * 20);
    const after = contentOf(index.file);
    expect(after.damage).toEqual(['ok']);
    const same = isDeepStrictEqual(before.items, after.items);
    before = after;
    if (!wasKilled) continue;
    killed++;
    if (!same) halfway++;
  }
  // Some have to be hit between two transactions.
  expect(halfway).toBeGreaterThan(KILLS / 10);

  expect(await index.sync()).toMatchObject({ ok: true });
  await using clean = await tempFolder();
  const fresh = syncedIndex(clean.path, 'filesystem', docs.path, { root: '.' });
  await fresh.sync();
  expect(contentOf(index.file)).toEqual(contentOf(fresh.file));
});

/** The same numbers every time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
