import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createIndexReader } from '../../src/knowledge/index/create-index-reader.ts';
import type { IndexReader } from '../../src/knowledge/index/index-reader.ts';
import { fillSampleIndex } from './sample-index.ts';
import { tempFolder } from '../temp-folder.ts';

/** One reader of the sample documents for all tests of a file; `more` puts others beside them. */
export function sampleReader(more: (file: string) => void = () => undefined): () => IndexReader {
  let reader: IndexReader | undefined;
  let folder: Awaited<ReturnType<typeof tempFolder>> | undefined;
  beforeAll(async () => {
    folder = await tempFolder();
    const file = join(folder.path, 'knowledge.db');
    fillSampleIndex(file);
    more(file);
    reader = createIndexReader({ file });
  });
  afterAll(async () => {
    await reader?.close();
    await folder?.[Symbol.asyncDispose]();
  });
  return () => {
    if (!reader) throw new Error('the index is there once a test runs');
    return reader;
  };
}
