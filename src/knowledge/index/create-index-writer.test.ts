import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { searchIndex } from '../search/search-index.ts';
import { createIndexWriter } from './create-index-writer.ts';
import type { Chunk } from '../document.ts';
import { openIndexConnection } from './index-connection.ts';
import type { ManifestEntry, NewDocument } from './index-writer.ts';

const notes = { owner: null, type: 'filesystem', name: 'notes' } as const;

const entry = (path: string, rest: Partial<ManifestEntry> = {}): ManifestEntry => ({
  path,
  fingerprint: '1',
  contentHash: 'abc',
  settingsHash: 's',
  bytes: 10,
  problem: null,
  ...rest,
});
const document = (title: string, text: string): NewDocument => ({
  title,
  text,
  mimeType: 'text/markdown',
  metadata: { team: 'payments' },
  url: null,
  updatedAt: '2026-01-02T03:04:05.000Z',
});
const chunk = (body: string, headings: string[] = []): Chunk => ({
  headings,
  body,
  tokens: 5,
  lineStart: 1,
  lineEnd: 1,
});

/** Everything a reader can see, except row ids, which depend on the order of writes. */
function contentOf(file: string) {
  const db = openIndexConnection(file, { readOnly: true });
  const content = {
    items: db.all('SELECT * FROM item ORDER BY source, path'),
    documents: db.all(
      'SELECT name, source, path, title, url, mime_type, updated_at, metadata, bytes, lines, tokens, chunks, text FROM document JOIN document_text ON document = id ORDER BY name',
    ),
    chunks: db.all(
      'SELECT name, ordinal, body, headings FROM chunk JOIN document ON document.id = document ORDER BY name, ordinal',
    ),
    terms: db.all('SELECT term, chunks FROM term WHERE chunks <> 0 ORDER BY term'),
    total: db.all('SELECT * FROM total'),
    forward: db.all('SELECT count(*) AS n FROM forward'),
    found: db.all(
      "SELECT d.path FROM passage JOIN chunk c ON c.id = passage.rowid JOIN document d ON d.id = c.document WHERE passage MATCH 'refund' ORDER BY d.path",
    ),
  };
  db.close();
  return content;
}

describe('the index', () => {
  it('contains the indexed text, and nothing that was changed, moved or removed since', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.db');
    const writer = createIndexWriter({ file });
    const source = writer.openSource(notes, '/notes');
    writer.put(source, entry('old.md'), document('Old', 'About invoices'), [chunk('About invoices')]);
    writer.put(source, entry('moved.md'), document('Moved', 'Refunds\nhere'), [
      chunk('Refunds\nhere', ['Top']),
    ]);
    writer.put(source, entry('gone.md'), document('Gone', 'Nothing'), [chunk('Nothing')]);
    writer.put(source, entry('old.md'), document('New', 'About a refund'), [
      chunk('About'),
      chunk('a refund'),
    ]);
    writer.move(source, 'moved.md', entry('there/moved.md'), {
      title: 'Moved',
      url: 'https://example.com/m',
      updatedAt: null,
    });
    writer.remove(source, 'gone.md');
    writer.close();

    const fresh = join(folder.path, 'b.db');
    const other = createIndexWriter({ file: fresh });
    other.batch(() => {
      const same = other.openSource(notes, '/notes');
      other.put(
        same,
        entry('there/moved.md'),
        { ...document('Moved', 'Refunds\nhere'), url: 'https://example.com/m', updatedAt: null },
        [chunk('Refunds\nhere', ['Top'])],
      );
      other.put(same, entry('old.md'), document('New', 'About a refund'), [
        chunk('About'),
        chunk('a refund'),
      ]);
    });
    other.close();

    expect(contentOf(file)).toEqual(contentOf(fresh));
    expect(contentOf(file).found).toEqual([{ path: 'old.md' }, { path: 'there/moved.md' }]);
  });

  it('gives a document the same id after every build, and another in another workspace', async () => {
    await using folder = await tempFolder();
    const ids = ['one', 'two', 'three'].map((name) => {
      const file = join(folder.path, `${name}.db`);
      const writer = createIndexWriter({ file });
      const source = writer.openSource({ ...notes, owner: name === 'three' ? 'w1' : null }, '/notes');
      writer.put(source, entry('a.md'), document('A', 'text'), [chunk('text')]);
      writer.close();
      return contentOf(file).documents[0]?.name;
    });
    expect(ids[0]).toMatch(/^[a-z0-9]{12}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('rolls back a failed batch, and continues', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.db');
    const writer = createIndexWriter({ file });
    const source = writer.openSource(notes, '/notes');
    expect(() =>
      writer.batch(() => {
        writer.put(source, entry('a.md'), document('A', 'refund one'), [chunk('refund one')]);
        throw new Error('stop');
      }),
    ).toThrow('stop');
    writer.put(source, entry('b.md'), document('B', 'refund two'), [chunk('refund two')]);
    expect([...writer.manifest(source)].map(({ path }) => path)).toEqual(['b.md']);
    writer.close();
    const { terms, total } = contentOf(file);
    expect(terms.map(({ term }) => term)).not.toContain('a');
    expect(terms).toContainEqual({ term: 'refund', chunks: 1 });
    expect(total).toMatchObject([{ chunks: 1 }]);
  });

  it('two writers take turns, and count the same terms', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.db');
    const [one, two] = [createIndexWriter({ file }), createIndexWriter({ file })];
    const first = one.openSource(notes, '/notes');
    const second = two.openSource({ ...notes, name: 'more' }, '/more');
    for (let n = 0; n < 5; n++) {
      one.put(first, entry(`${n}.md`), document('A', `refund word${n}`), [chunk(`refund word${n}`)]);
      two.put(second, entry(`${n}.md`), document('A', `refund word${n}`), [chunk(`refund word${n}`)]);
    }
    one.close();
    two.close();
    expect(contentOf(file).terms).toContainEqual({ term: 'refund', chunks: 10 });
    expect(contentOf(file).terms).toContainEqual({ term: 'word3', chunks: 2 });
  });

  it('stores why an item has no document, and the checkpoint of a connector', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.db');
    const writer = createIndexWriter({ file });
    const source = writer.openSource(notes, '/notes');
    const problem = { kind: 'failed', reason: 'not a PDF', since: '2026-01-01' } as const;
    writer.put(source, entry('a.pdf'), document('A', 'refund'), [chunk('refund')]);
    writer.problem(source, entry('a.pdf', { contentHash: null, problem }));
    writer.finish(source, { at: '2026-01-03', error: null, checkpoint: { commit: 'c1' }, skipped: 2 });
    expect([...writer.manifest(source)]).toEqual([entry('a.pdf', { contentHash: null, problem })]);
    expect(writer.checkpoint(source)).toEqual({ commit: 'c1' });
    writer.close();
    expect(contentOf(file).found).toEqual([{ path: 'a.pdf' }]);
  });

  it('drops a source with all of its documents', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.db');
    const writer = createIndexWriter({ file });
    const source = writer.openSource(notes, '/notes');
    writer.put(source, entry('a.md'), document('A', 'refund'), [chunk('refund')]);
    writer.removeSource(source);
    writer.close();
    expect(contentOf(file)).toMatchObject({ items: [], documents: [], chunks: [], terms: [], found: [] });
  });
});

describe('an unusable file', () => {
  it('is moved aside and rebuilt when it is damaged', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.db');
    writeFileSync(
      file,
      'this is not a database, whatever its name says, and long enough to be looked at'.repeat(100),
    );
    const said: string[] = [];
    const writer = createIndexWriter({ file, note: (text) => said.push(text) });
    const source = writer.openSource(notes, '/notes');
    writer.put(source, entry('a.md'), document('A', 'refund'), [chunk('refund')]);
    writer.close();
    expect(said).toEqual([expect.stringContaining(`moved to ${file}.damaged and is being rebuilt`)]);
    expect(readFileSync(`${file}.damaged`, 'utf8')).toContain('this is not a database');
    expect(contentOf(file).found).toEqual([{ path: 'a.md' }]);
  });

  it('is reported when damage is found in use, and rebuilt by the next writer', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.db');
    const writer = createIndexWriter({ file });
    const source = writer.openSource(notes, '/notes');
    for (let n = 0; n < 200; n++) {
      writer.put(source, entry(`${n}.md`), document('A', `word${n} `.repeat(200)), [
        chunk(`word${n} `.repeat(200)),
      ]);
    }
    writer.close();
    const bytes = readFileSync(file);
    bytes.fill(0xaa, 4096 * 2);
    writeFileSync(file, bytes);

    const again = createIndexWriter({ file });
    expect(() => {
      for (let n = 0; n < 200; n++) again.remove(source, `${n}.md`);
    }).toThrow(/is damaged .* the next `zoo sync` rebuilds it/);
    again.close();
    const said: string[] = [];
    createIndexWriter({ file, note: (text) => said.push(text) }).close();
    expect(said).toEqual([expect.stringContaining('being rebuilt')]);
    expect(existsSync(`${file}.rebuild`)).toBe(false);
  });

  it('is left alone when it belongs to a newer version or another program', async () => {
    await using folder = await tempFolder();
    const newer = join(folder.path, 'newer.db');
    createIndexWriter({ file: newer }).close();
    const db = openIndexConnection(newer, { readOnly: false });
    db.exec('PRAGMA user_version = 999');
    db.close();
    expect(() => createIndexWriter({ file: newer })).toThrow(/written by a newer version/);

    const other = join(folder.path, 'other.db');
    const theirs = openIndexConnection(other, { readOnly: false });
    theirs.exec('CREATE TABLE precious (x)');
    theirs.close();
    expect(() => createIndexWriter({ file: other })).toThrow(/database of another program/);
    expect(existsSync(`${other}.damaged`)).toBe(false);
  });

  it('is rebuilt when its version is older', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.db');
    const db = openIndexConnection(file, { readOnly: false });
    db.exec('CREATE TABLE old (x); PRAGMA user_version = -1');
    db.close();
    const said: string[] = [];
    createIndexWriter({ file, note: (text) => said.push(text) }).close();
    expect(said).toEqual([expect.stringContaining('older version')]);
    expect(contentOf(file).documents).toEqual([]);
  });

  it('names the process that holds the lock', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.db');
    const writer = createIndexWriter({ file, waitMs: 20 });
    const source = writer.openSource(notes, '/notes');
    writer.put(source, entry('a.md'), document('A', 'refund'), [chunk('refund')]);

    const holder = openIndexConnection(file, { readOnly: false });
    holder.exec('BEGIN IMMEDIATE');
    expect(() => writer.remove(source, 'a.md')).toThrow(/is locked by another process; try again/);
    holder.exec('ROLLBACK');
    holder.close();
    writer.remove(source, 'missing.md');
    writer.close();
    expect(contentOf(file).found).toEqual([{ path: 'a.md' }]);
  });

  it('reports a full disk and keeps existing data', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.db');
    const writer = createIndexWriter({ file });
    const source = writer.openSource(notes, '/notes');
    writer.put(source, entry('a.md'), document('A', 'refund'), [chunk('refund')]);
    writer.close();
    const db = openIndexConnection(file, { readOnly: false });
    // SQLite reports the same error as on a full disk.
    db.exec(`PRAGMA max_page_count = ${String(db.one('PRAGMA page_count')?.page_count)}`);
    expect(() => db.run('INSERT INTO document_text VALUES (99, ?)', 'x'.repeat(1_000_000))).toThrow(
      /the disk is full: .*; free some space and sync again/,
    );
    db.close();
    expect(contentOf(file).found).toEqual([{ path: 'a.md' }]);
  });
});

it('reads stored items back, whatever their names', async () => {
  await using home = await tempFolder();
  const writer = createIndexWriter({ file: join(home.path, 'index.db') });
  const source = writer.openSource(notes, '/notes');
  const failed = { kind: 'failed', reason: 'is broken', since: '2026-01-01' } as const;
  const odd = 'a\u001fb\u001fc\u001fd';
  const entries = [
    entry('plain.md'),
    entry('failed.md', { contentHash: null, fingerprint: null, problem: failed }),
    entry(odd),
    entry('b\u001ec'),
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const each of entries) writer.touch(source, each);
  expect([...writer.manifest(source)]).toEqual(entries);
  writer.remove(source, odd);
  writer.remove(source, 'b\u001ec');
  expect([...writer.manifest(source)].map(({ path }) => path)).toEqual(['failed.md', 'plain.md']);
  writer.close();
});

describe('a document with very many distinct words', () => {
  it('is written with little memory, and every word is counted', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: unknown = runInNewContext('gc');
    const heldMb = () => {
      if (typeof collectGarbage === 'function') collectGarbage();
      return process.memoryUsage().heapUsed / 1024 / 1024;
    };
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.db');
    const writer = createIndexWriter({ file });
    const source = writer.openSource(notes, '/notes');
    const words = (at: number) => Array.from({ length: 250 }, (_, n) => `no${at * 250 + n}x`).join(' ');
    const pieces = Array.from({ length: 1_000 }, (_, at) =>
      chunk(`Refunds ${words(at)} ${at % 300 === 0 ? 'seldom' : ''} refund`),
    );
    const before = heldMb();
    writer.batch(() => {
      writer.put(source, entry('a.md'), document('A', 'a'), pieces);
      expect(heldMb() - before).toBeLessThan(60);
    });
    writer.close();

    const db = openIndexConnection(file, { readOnly: true });
    const counts = db.all(
      "SELECT term, chunks FROM term WHERE term IN ('refund', 'seldom', 'no7x') ORDER BY term",
    );
    expect(counts.map(({ term, chunks }) => [term, chunks])).toEqual([
      ['no7x', 1],
      ['refund', 1_000],
      ['seldom', 4],
    ]);
    db.close();
  });
});

it('scores a repeatedly edited document like a newly written one', async () => {
  await using folder = await tempFolder();
  const scoresOf = async (name: string, edits: number) => {
    const file = join(folder.path, name);
    const writer = createIndexWriter({ file });
    const source = writer.openSource(notes, '/notes');
    for (let edit = 0; edit <= edits; edit++) {
      for (let n = 0; n < 12; n++) {
        const body = `${n % 3 === 0 ? 'refund' : 'order'} ${n === 5 ? 'chargeback' : 'payment'} ${edit === edits ? 'now' : `draft ${edit}`}`;
        writer.put(source, entry(`${n}.md`), document(`Note ${n}`, body), [chunk(body, ['Top'])]);
      }
      writer.put(source, entry('gone.md'), document('Gone', 'refund'), [chunk('refund')]);
      writer.remove(source, 'gone.md');
      writer.finish(source, { at: '2026-01-01', error: null, checkpoint: null, skipped: 0 });
    }
    writer.close();
    const db = openIndexConnection(file, { readOnly: true });
    const scope = { sources: [notes], retrieval: {}, embedding: {} };
    const { results } = await searchIndex(db, { query: 'refund chargeback' }, scope, {
      embedQuery: async () => ({ problem: null }),
    });
    db.close();
    return results.map(({ path, score }) => ({ path, score: score.toFixed(9) }));
  };
  const fresh = await scoresOf('fresh.db', 0);
  expect(fresh).toHaveLength(5);
  expect(await scoresOf('edited.db', 9)).toEqual(fresh);
});
