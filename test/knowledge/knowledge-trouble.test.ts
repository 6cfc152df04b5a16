import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { appendFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SyncEvent } from '../../src/contract/knowledge.ts';
import type { ConfiguredSource } from '../../src/knowledge/connector.ts';
import { openIndexConnection } from '../../src/knowledge/index/index-connection.ts';
import { createSyncer } from '../../src/knowledge/sync/create-syncer.ts';
import { campaignSize } from '../campaign.ts';
import { docxOf, pdfOf } from './office-files.ts';
import { contentOf, failuresIn, pathsIn, syncedIndex } from './synced-index.ts';
import { tempFolder } from '../temp-folder.ts';
import { tempHome } from '../zoo-command.ts';

const MEGABYTES = campaignSize(5, 50);
const LINES = campaignSize(100_000, 1_000_000);
const never = new AbortController().signal;
const folderSource = (folder: string): ConfiguredSource => ({
  owner: null,
  type: 'filesystem',
  name: 'notes',
  folder,
  config: { root: '.' },
});

/** Through the thread, as the hub does it. */
async function syncThroughThread(home: string, folder: string): Promise<SyncEvent[]> {
  const syncer = createSyncer({ index: join(home, 'index.db'), cache: join(home, 'cache') });
  const events: SyncEvent[] = [];
  const settings = { maxTokens: 700, overlapTokens: 80 };
  for await (const event of syncer.sync({}, [folderSource(folder)], settings, never)) events.push(event);
  await syncer.close();
  return events;
}

/**
 * Appends to a file in every turn of the event loop, and so at least once during any asynchronous read in this
 * process: between two results of the file system the loop always takes a turn.
 */
function keepAppending(file: string): Disposable {
  let turn: NodeJS.Immediate;
  const append = () => {
    appendFileSync(file, '.');
    turn = setImmediate(append);
  };
  append();
  return { [Symbol.dispose]: () => clearImmediate(turn) };
}

describe('a folder with problems of all kinds', () => {
  it('is synced, and the problems are reported', async () => {
    await using home = await tempFolder();
    await using docs = await tempFolder({
      'good.md': '# Good\n\nfine',
      'broken.pdf': '%PDF-1.4 nonsense',
      'good.pdf': pdfOf(['Fine']),
      'broken.docx': 'PK\u0003\u0004nonsense',
      'good.docx': docxOf([[null, 'Fine']]),
      'latin.txt': Buffer.from('caf\xe9 in a text that is longer', 'latin1'),
      'wide.txt': Buffer.from('\uFEFFwide', 'utf16le'),
      'binary.txt': Uint8Array.from({ length: 1000 }, (_, n) => (n * 31) % 256),
      'empty.md': '',
      'blank.md': '\n\n  \n',
    });
    await symlink('.', join(docs.path, 'circle'));
    await symlink('nowhere', join(docs.path, 'dangling.md'));
    execFileSync('mkfifo', [join(docs.path, 'pipe.md')]);
    const events = await syncThroughThread(home.path, docs.path);
    expect(events.at(-1)).toMatchObject({
      type: 'end',
      ok: true,
      counts: { added: 7, failed: 2, skipped: 4 },
    });
    const index = join(home.path, 'index.db');
    expect(pathsIn(index)).toEqual([
      'blank.md',
      'empty.md',
      'good.docx',
      'good.md',
      'good.pdf',
      'latin.txt',
      'wide.txt',
    ]);
    expect(failuresIn(index)).toEqual([
      ['broken.docx', expect.stringMatching(/^could not be read as DOCX/)],
      ['broken.pdf', expect.stringMatching(/^could not be read as PDF/)],
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ path: 'latin.txt', reason: 'is not UTF-8: decoded as Windows-1252' }),
    );
    expect(contentOf(index).damage).toEqual(['ok']);
  });

  it(`has a file of ${MEGABYTES} MB and one of ${LINES} lines`, { timeout: 600_000 }, async () => {
    await using home = await tempFolder();
    const line = 'The quick brown fox jumps over the lazy dog, as it does every day of the week.\n';
    await using docs = await tempFolder({
      'large.txt': line.repeat(Math.ceil((MEGABYTES * 1024 * 1024) / line.length)),
      'lines.log': Array.from({ length: LINES }, (_, n) => n % 500).join('\n'),
      'too-large.txt': Buffer.alloc(65 * 1024 * 1024, 'x'),
      'small.md': 'small',
    });
    const events = await syncThroughThread(home.path, docs.path);
    expect(events.at(-1)).toMatchObject({
      type: 'end',
      ok: true,
      counts: { added: 3, skipped: 1, failed: 0 },
    });
  });

  it('reports a file that keeps changing, and reads it later', async () => {
    await using home = await tempFolder();
    await using docs = await tempFolder({ 'still.md': 'still', 'busy.log': 'busy' });
    const index = syncedIndex(home.path, 'filesystem', docs.path, { root: '.' });
    {
      using _writer = keepAppending(join(docs.path, 'busy.log'));
      expect((await index.sync()).events).toContainEqual(
        expect.objectContaining({
          type: 'problem',
          path: 'busy.log',
          reason: expect.stringContaining('keeps changing'),
        }),
      );
      expect(pathsIn(index.file)).toEqual(['still.md']);
    }
    await index.sync();
    expect(pathsIn(index.file)).toEqual(['busy.log', 'still.md']);
  });

  it('indexes the last version of a file that changes during the sync', async () => {
    await using home = await tempFolder();
    await using docs = await tempFolder({ 'a.md': 'start ' });
    const index = syncedIndex(home.path, 'filesystem', docs.path, { root: '.' });
    let rounds = 0;
    const writing = (async () => {
      for (; rounds < 200; rounds++) {
        await appendFile(join(docs.path, 'a.md'), `word${rounds} `);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    while (rounds < 200) await index.sync();
    await writing;
    await index.sync();
    expect(contentOf(index.file).documents[0]?.text).toMatch(/word199 $/);
  });
});

/** A disk of its own, where this machine lets us have one. */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m,mode=0700', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

it('a full disk is reported on the command line with an exit code', async (context) => {
  const text = (n: number) => Array.from({ length: 400 }, (_, at) => `word${n}x${at}`).join(' ');
  await using home = await tempHome({
    'zoo.toml': '[connectors.filesystem.docs]\nroot = "docs"\n',
    ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`docs/${n}.md`, text(n)])),
  });
  const disk = join(home.path, 'home');
  await mkdir(disk);
  context.skip(!mountSmallDisk(disk), 'no small disk can be mounted here');
  try {
    expect(await home.program(['sync'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('the disk is full'),
      err: expect.stringContaining('the sync finished with errors'),
    });
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
});

it('an incomplete first sync is distinguished from none', async () => {
  await using home = await tempHome({
    'zoo.toml': '[connectors.filesystem.docs]\nroot = "docs"\n',
    'docs/a.md': 'fine',
  });
  expect((await home.zoo(['sync'])).code).toBe(0);
  const db = openIndexConnection(join(home.path, 'home', 'knowledge', 'index.db'), { readOnly: false });
  db.run('UPDATE source SET last_sync = NULL');
  db.close();
  expect((await home.zoo(['sources'])).out).toMatch(
    /filesystem:docs +1 document .*partly synced.*\n.*was interrupted/,
  );
});

it('a full disk is reported, loses nothing, and the next sync with space completes', async (context) => {
  await using disk = await tempFolder();
  const home = join(disk.path, 'home');
  await mkdir(home);
  const text = (n: number) => Array.from({ length: 400 }, (_, at) => `word${n}x${at}`).join(' ');
  await using docs = await tempFolder({ '0.md': text(0) });
  const mounted = mountSmallDisk(home);
  context.skip(!mounted, 'no small disk can be mounted here');
  try {
    await syncThroughThread(home, docs.path);
    const before = pathsIn(join(home, 'index.db'));
    expect(before).toEqual(['0.md']);
    for (let n = 1; n < 300; n++) await docs.write(`${n}.md`, text(n));
    const events = await syncThroughThread(home, docs.path);
    expect(events.find(({ type }) => type === 'done')).toMatchObject({
      ok: false,
      error: expect.stringContaining('the disk is full'),
    });
    const written = pathsIn(join(home, 'index.db'));
    expect(written).toContain('0.md');
    const added = contentOf(join(home, 'index.db')).documents.filter(({ path }) => path !== '0.md');
    const passages = added.reduce((sum, document) => sum + Number(document.chunks), 0);
    expect(events.at(-1)).toMatchObject({
      type: 'end',
      counts: { added: added.length, unchanged: 1, chunks: passages },
    });
    expect(contentOf(join(home, 'index.db')).damage).toEqual(['ok']);
    execFileSync('mount', ['-o', 'remount,size=200m', home]);
    expect((await syncThroughThread(home, docs.path)).at(-1)).toMatchObject({ type: 'end', ok: true });
    expect(pathsIn(join(home, 'index.db'))).toHaveLength(300);
  } finally {
    execFileSync('umount', ['-l', home]);
  }
});
