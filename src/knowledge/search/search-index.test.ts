import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createIndexWriter } from '../index/create-index-writer.ts';
import { openIndexForReading } from '../index/index-file.ts';
import { searchIndex } from './search-index.ts';

it('hides a source of another workspace that appears while the question is being embedded', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'knowledge.db');
  const writer = createIndexWriter({ file });
  const write = (name: string, owner: string | null) =>
    writer.put(
      writer.openSource({ owner, type: 'filesystem', name }, '/somewhere'),
      {
        path: `${name}.txt`,
        fingerprint: null,
        contentHash: null,
        settingsHash: null,
        bytes: 9,
        problem: null,
      },
      { title: name, text: '', mimeType: 'text/plain', metadata: {}, url: null, updatedAt: null },
      [{ headings: [], body: 'the invoice is late', tokens: 5, lineStart: 1, lineEnd: 1 }],
    );
  write('ours', null);
  const connection = openIndexForReading(file);
  if (!connection) throw new Error('there is no index');
  const scope = {
    sources: [{ owner: null, type: 'filesystem', name: 'ours' } as const],
    retrieval: {},
    embedding: {},
  };
  const { results } = await searchIndex(connection, { query: 'invoice', mode: 'hybrid' }, scope, {
    embedQuery: () => {
      write('theirs', 'another-workspace');
      return Promise.resolve({ problem: null });
    },
  });
  expect(results.map(({ path }) => path)).toEqual(['ours.txt']);
  connection.close();
  writer.close();
});
