import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { GptEncoding } from 'gpt-tokenizer/GptEncoding';
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { chunkDocument } from '../src/knowledge/chunking/chunk-document.ts';
import { createIndexWriter } from '../src/knowledge/index/create-index-writer.ts';
import type { SourceKey } from '../src/knowledge/index/index-reader.ts';
import { type CountTokens, createPassingTokenCounter } from '../src/platform/text/token-count.ts';
import { type GeneratedDocument, generateDocument } from './generated-text.ts';

const SECTIONS = 5;
const WORDS = 120;
const BATCH = 500;
const settings = { maxTokens: 700, overlapTokens: 0 };

/** The tokenizer as it comes: one of its own, since ours is set up otherwise. */
export const createBareCounter = (): CountTokens =>
  GptEncoding.getEncodingApi('o200k_base', () => ranks).countTokens;

/** Milliseconds of each part, over all documents. */
interface BuildTimes {
  counted: number;
  countedByOurs: number;
  inserted: number;
  built: number;
  bytes: number;
}

/**
 * Builds an index of generated text, against counting the tokens of the same text and inserting it raw. A small one is
 * too soon done to be measured once, and cold: it is built again and again. Leaves the last one, and the raw one, open.
 */
export async function measureBuild(
  source: SourceKey,
  chunks: number,
  file: string,
  rawFile: string,
): Promise<DatabaseSyncInstance> {
  const sum: BuildTimes = { counted: 0, countedByOurs: 0, inserted: 0, built: 0, bytes: 0 };
  for (let warmUp = Math.floor(5_000 / chunks); warmUp > 0; warmUp--) {
    const { raw } = await buildOnce(source, chunks, `${file}.warm${warmUp}`, `${rawFile}.warm${warmUp}`);
    raw.close();
  }
  for (let round = Math.max(1, Math.floor(10_000 / chunks)); ; round--) {
    const end = round === 1 ? '' : `.${round}`;
    const { times, raw } = await buildOnce(source, chunks, file + end, rawFile + end);
    sum.counted += times.counted;
    sum.countedByOurs += times.countedByOurs;
    sum.inserted += times.inserted;
    sum.built += times.built;
    sum.bytes += times.bytes;
    if (round === 1) {
      reportBuild(sum);
      return raw;
    }
    raw.close();
  }
}

async function buildOnce(
  source: SourceKey,
  chunks: number,
  file: string,
  rawFile: string,
): Promise<{ times: BuildTimes; raw: DatabaseSyncInstance }> {
  const bare = createBareCounter();
  const again = await createPassingTokenCounter();
  const count = await createPassingTokenCounter();
  const raw = new DatabaseSync(rawFile, { allowExtension: true });
  raw.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE VIRTUAL TABLE plain USING fts5 (body, tokenize = 'porter unicode61')",
  );
  const insert = raw.prepare('INSERT INTO plain (body) VALUES (?)');
  const writer = createIndexWriter({ file });
  const id = writer.openSource(source, 'generated');
  const documents = chunks / SECTIONS;
  const times: BuildTimes = { counted: 0, countedByOurs: 0, inserted: 0, built: 0, bytes: 0 };
  for (let first = 0; first < documents; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, documents - first) }, (_, at) =>
      generateDocument(first + at, SECTIONS, WORDS),
    );
    const sections = batch.flatMap(({ text }) => text.split(/\n(?=## )/).slice(1));
    for (const { text } of batch) times.bytes += Buffer.byteLength(text);
    // In turns, so that what else the machine does falls on all.
    const startedAt = performance.now();
    for (const section of sections) bare(section);
    const counted = performance.now();
    raw.exec('BEGIN');
    for (const section of sections) insert.run(section);
    raw.exec('COMMIT');
    const inserted = performance.now();
    for (const section of sections) again(section);
    const countedAgain = performance.now();
    await putAll(batch);
    times.counted += counted - startedAt;
    times.inserted += inserted - counted;
    times.countedByOurs += countedAgain - inserted;
    times.built += performance.now() - countedAgain;
  }
  writer.close();
  return { times, raw };

  async function putAll(batch: readonly GeneratedDocument[]): Promise<void> {
    const pieces: Awaited<ReturnType<typeof chunkDocument>>[] = [];
    for (const { text, path } of batch) {
      pieces.push(await chunkDocument({ text, mimeType: 'text/markdown' }, path, settings, count));
    }
    writer.batch(() => {
      for (const [at, { path, title, text }] of batch.entries()) {
        writer.put(
          id,
          {
            path,
            fingerprint: null,
            contentHash: null,
            settingsHash: null,
            bytes: text.length,
            problem: null,
          },
          { title, text, mimeType: 'text/markdown', metadata: {}, url: null, updatedAt: null },
          pieces[at]!,
        );
      }
    });
  }
}

function reportBuild({ counted, countedByOurs, inserted, built, bytes }: BuildTimes): void {
  const row = (name: string, ms: number, against?: number) => {
    const ratio = against === undefined ? '' : `${(against / ms).toFixed(2).padStart(8)}×`;
    console.log(
      `    ${name.padEnd(52)} ${(bytes / 1e6 / (ms / 1_000)).toFixed(2).padStart(8)} MB/s ${ratio}`,
    );
  };
  console.log(`\n  building the index   (goal: at least 0.6×)`);
  row('tokens counted by the library, raw insert into FTS5', counted + inserted);
  row('chunked, counted and indexed', built, counted + inserted);
  row('for comparison: counted as we do, and raw insert', countedByOurs + inserted);
  row('chunked, counted and indexed', built, countedByOurs + inserted);
}
