import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createIndexWriter } from '../index/create-index-writer.ts';
import { createEntryReader } from '../index/entry-reader.ts';
import { openIndexForReading } from '../index/index-file.ts';
import { FIELD_WEIGHTS } from '../index/index-schema.ts';
import { matchExpression } from './match-expression.ts';
import { parseQuery } from './query-parse.ts';
import { planQuery } from './query-plan.ts';
import { rememberedCandidates } from './remembered-candidates.ts';

const source = { owner: null, type: 'filesystem', name: 'notes' } as const;

const WORDS =
  'amber birch cedar delta ember fjord grove heron inlet jetty knoll larch marsh north ochre poppy quay reed'.split(
    ' ',
  );

/** The first words are the most frequent, as in any text. */
const textOf = (seed: number, length: number): string =>
  Array.from(
    { length },
    (_, at) => WORDS[(((seed * 31 + at) * 7919) % 997) % (1 + ((seed + at * 5) % 18))],
  ).join(' ');

it('ranks as FTS5 does, also after documents have changed and gone', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'knowledge.db');
  const writer = createIndexWriter({ file });
  const id = writer.openSource(source, '/somewhere');
  const write = (path: string, text: string) =>
    writer.put(
      id,
      { path, fingerprint: null, contentHash: null, settingsHash: null, bytes: 10, problem: null },
      { title: path, text, mimeType: 'text/plain', metadata: {}, url: null, updatedAt: null },
      text.split('\n\n').map((body, at) => ({
        headings: [`part ${at}`],
        body,
        tokens: 5,
        lineStart: 1,
        lineEnd: 1,
      })),
    );
  writer.batch(() => {
    for (let at = 0; at < 60; at++) write(`a/${at}.txt`, `${textOf(at, 40)}\n\n${textOf(at + 7, 25)}`);
    for (let at = 0; at < 30; at++) write(`a/${at}.txt`, textOf(at + 100, 12));
    for (let at = 20; at < 40; at++) writer.remove(id, `a/${at}.txt`);
  });
  const connection = openIndexForReading(file);
  if (!connection) throw new Error('there is no index');
  const weights = Object.values(FIELD_WEIGHTS).join(', ');
  const filters = [
    { sql: null, params: [], possible: true },
    { sql: 'document.path < ?', params: ['a/3'], possible: true },
  ];
  let compared = 0;
  for (let round = 0; round < 30; round++) {
    const plan = planQuery(connection, parseQuery(textOf(round, 1 + (round % 4))), () => false);
    const terms = plan.terms.filter((term) => term.id !== null);
    const match = matchExpression({ terms: terms.map(({ term }) => term) });
    if (match === null) continue;
    for (const filter of filters) {
      const expected = connection
        .all(
          `SELECT passage.rowid AS chunk, bm25(passage, ${weights}) AS rank, forward.document
           FROM passage CROSS JOIN forward ON forward.chunk = passage.rowid
           CROSS JOIN document ON document.id = forward.document
           WHERE passage MATCH ? AND ${filter.sql ?? 'true'} ORDER BY rank LIMIT 8`,
          match,
          ...filter.params,
        )
        .map(({ chunk, rank, document }) => ({ chunk, score: expect.closeTo(-Number(rank), 9), document }));
      const request = { match, terms, filter, limit: 8 };
      expect(rememberedCandidates(connection, request, createEntryReader(connection))).toEqual(expected);
      compared += expected.length;
    }
  }
  expect(compared).toBeGreaterThan(300);
  connection.close();
  writer.close();
});
