import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createIndexWriter } from './create-index-writer.ts';
import { openIndexForReading } from './index-file.ts';
import { searchIndex } from '../search/search-index.ts';

const source = { owner: null, type: 'filesystem', name: 'notes' } as const;
const scope = { sources: [source], retrieval: {}, embedding: {} };

it('finds the current text of a document, even after a cached answer from its old text', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'knowledge.db');
  const writer = createIndexWriter({ file });
  const id = writer.openSource(source, '/somewhere');
  const write = (path: string, title: string, body: string) =>
    writer.put(
      id,
      { path, fingerprint: null, contentHash: null, settingsHash: null, bytes: 10, problem: null },
      { title, text: body, mimeType: 'text/plain', metadata: {}, url: null, updatedAt: null },
      [{ headings: [title], body, tokens: 5, lineStart: 1, lineEnd: 1 }],
    );
  write('a.txt', 'First', 'the invoice is late');
  const connection = openIndexForReading(file);
  if (!connection) throw new Error('there is no index');
  const search = async () => {
    const embedQuery = () => Promise.resolve({ problem: null });
    const { results } = await searchIndex(connection, { query: 'invoice', mode: 'keyword' }, scope, {
      embedQuery,
    });
    return results.map(({ path, title, snippet }) => ({ path, title, snippet }));
  };
  const before = [{ path: 'a.txt', title: 'First', snippet: 'the **invoice** is late' }];
  expect(await search()).toEqual(before);
  expect(await search()).toEqual(before);
  write('a.txt', 'Second', 'an invoice in time');
  expect(await search()).toEqual([{ path: 'a.txt', title: 'Second', snippet: 'an **invoice** in time' }]);
  connection.close();
  writer.close();
});
