import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { ConfiguredSource } from '../src/knowledge/connector.ts';
import { createSyncer, type Syncer } from '../src/knowledge/sync/create-syncer.ts';
import { createBareCounter } from './build-speed.ts';
import { compare, report, timed } from './measure.ts';

const FILES = 10_000;
const MEGABYTES = Number(process.argv[process.argv.indexOf('--megabytes') + 1]) || 256;
const never = new AbortController().signal;
const settings = { maxTokens: 700, overlapTokens: 80 };

const vocabulary = Array.from({ length: 20_000 }, (_, n) => {
  const syllables = ['ka', 'lo', 'mi', 'ren', 'sta', 'tor', 'vel', 'ing', 'ex', 'un'];
  return [n % 10, Math.floor(n / 10) % 10, Math.floor(n / 100) % 10, Math.floor(n / 1000)]
    .map((at) => syllables[at % 10])
    .join('');
});

/** Repeatable, and with words as unevenly used as in any language. */
function createWriter(seed: number) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const word = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? 'the';
  const sentence = () => `${Array.from({ length: 8 + Math.floor(random() * 12) }, word).join(' ')}.`;
  const paragraph = () => Array.from({ length: 2 + Math.floor(random() * 5) }, sentence).join(' ');
  return (bytes: number): string => {
    const parts = [`# ${word()} ${word()}`];
    for (let length = 0; length < bytes;) {
      const next = random() < 0.2 ? `## ${word()} ${word()}` : paragraph();
      parts.push(next);
      length += next.length + 2;
    }
    return `${parts.join('\n\n')}\n`;
  };
}

async function fill(folder: string, files: number, bytes: number): Promise<number> {
  const text = createWriter(files);
  let total = 0;
  for (let n = 0; n < files; n++) {
    const place = join(folder, String(Math.floor(n / 100)));
    if (n % 100 === 0) await mkdir(place, { recursive: true });
    const content = text(bytes);
    total += content.length;
    await writeFile(join(place, `${n}.md`), content);
  }
  return total;
}

const sourceAt = (folder: string): ConfiguredSource => ({
  owner: null,
  type: 'filesystem',
  name: 'bench',
  folder,
  config: { root: '.' },
});

async function run(syncer: Syncer, folder: string): Promise<void> {
  for await (const event of syncer.sync({}, [sourceAt(folder)], settings, never)) {
    if (event.type === 'done' && !event.ok) throw new Error(String(event.error));
  }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function resync(folder: string): Promise<void> {
  const docs = join(folder, 'many');
  await fill(docs, FILES, 300);
  // A file that changed within the last two seconds is read again, to be sure of it.
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const syncer = createSyncer({ index: join(folder, 'many.db'), cache: join(folder, 'cache') });
  await run(syncer, docs);
  const files = filesIn(docs);
  const samples = await compare(20, {
    'reading their stats': async () => {
      for (const file of files) lstatSync(file, { bigint: true });
    },
    'a sync': () => run(syncer, docs),
  });
  report(`${FILES} unchanged files`, samples, '≤ 3×');
  await syncer.close();
}

async function build(folder: string): Promise<void> {
  const docs = join(folder, 'text');
  const bytes = await fill(docs, 800, 12_000);
  const count = createBareCounter();
  const texts = createWriter(800);
  const content = Array.from({ length: 800 }, () => texts(12_000));
  const syncer = createSyncer({ index: join(folder, 'text.db'), cache: join(folder, 'cache') });
  await mkdir(join(folder, 'nothing'));
  await run(syncer, join(folder, 'nothing'));
  const samples = await compare(5, {
    'counting tokens, and a raw insert into FTS5': async () => {
      const db = new DatabaseSync(join(folder, 'raw.db'));
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      db.exec("CREATE VIRTUAL TABLE raw USING fts5 (body, tokenize = 'porter unicode61')");
      const insert = db.prepare('INSERT INTO raw VALUES (?)');
      db.exec('BEGIN');
      for (const text of content) {
        count(text);
        insert.run(text);
      }
      db.exec('COMMIT');
      db.close();
      rmSync(join(folder, 'raw.db'));
    },
    'a sync into an empty index': async () => {
      for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `text.db${end}`), { force: true });
      await run(syncer, docs);
    },
  });
  report(`Building an index of ${(bytes / 1e6).toFixed(1)} MB`, samples, '≤ 1.67×, which is 0.6 of its pace');
  for (const [name, values] of Object.entries(samples)) {
    const best = Math.min(...values);
    console.log(`  ${name.padEnd(44)} ${(bytes / 1000 / best).toFixed(2)} MB/s at best`);
  }
  await syncer.close();
}

async function memory(folder: string): Promise<void> {
  const docs = join(folder, 'large');
  const files = Math.ceil((MEGABYTES * 1e6) / 250_000);
  await fill(docs, files, 250_000);
  const syncer = createSyncer({ index: join(folder, 'large.db'), cache: join(folder, 'cache') });
  const megabytes = () => process.memoryUsage().rss / 1e6;
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(megabytes()), 250);
  const before = megabytes();
  const took = await timed(() => run(syncer, docs));
  clearInterval(timer);
  const quarter = Math.ceil(samples.length / 4);
  const peak = (from: number, to: number) => Math.max(...samples.slice(from, to)).toFixed(0);
  console.log(`\nSyncing ${MEGABYTES} MB in ${files} files took ${(took / 1000).toFixed(0)} s`);
  console.log(
    `  resident memory: ${before.toFixed(0)} MB before; at most ${peak(0, quarter)}, ${peak(quarter, 2 * quarter)}, ${peak(2 * quarter, 3 * quarter)} and ${peak(3 * quarter, samples.length)} MB in each quarter of it`,
  );
  await syncer.close();
}

const folder = await mkdtemp(join(tmpdir(), 'zoo-bench-'));
try {
  await resync(folder);
  await build(folder);
  await memory(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
