import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/temp-folder.ts';
import { SyncCounts, type SyncEvent } from '../contract/knowledge.ts';
import type { ConfiguredSource } from './connector.ts';
import { createKnowledge } from './create-knowledge.ts';
import type { IndexReader } from './index/index-reader.ts';
import type { KnowledgeScope } from './knowledge.ts';
import { createSyncLocks } from './sync/sync-lock.ts';
import type { Syncer, SyncerOptions } from './sync/create-syncer.ts';

const source = (name: string, owner: string | null = 'here-1'): ConfiguredSource => ({
  owner,
  type: 'filesystem',
  name,
  folder: '/here',
  config: { root: name },
});
const scope = (parts: Partial<KnowledgeScope> = {}): KnowledgeScope => ({
  sources: [source('docs'), source('notes', null)],
  only: null,
  chunking: {},
  retrieval: {},
  embedding: {},
  ...parts,
});
const never = new AbortController().signal;
const counts = SyncCounts.parse(Object.fromEntries(SyncCounts.keyof().options.map((key) => [key, 0])));

/** A reader and a syncer that only record their calls. */
async function room(parts: { reader?: Partial<IndexReader>; syncer?: Partial<Syncer> } = {}) {
  const folder = await tempFolder();
  const asked: string[] = [];
  const unasked = () => Promise.reject(new Error('nobody should ask this'));
  const reader: IndexReader = {
    search: unasked,
    get: unasked,
    match: unasked,
    complete: unasked,
    documents: unasked,
    sources: async () => [],
    allSources: unasked,
    indexBytes: async () => 0,
    embedStatus: unasked,
    embed: unasked,
    close: async () => void asked.push('reader closed'),
    ...parts.reader,
  };
  const syncer: Syncer = {
    async *sync(_options, sources, _settings, signal) {
      asked.push(`sync ${sources.map(({ name }) => name).join(' ')}`);
      yield { type: 'start', sources: sources.map(({ name }) => `filesystem:${name}`), dryRun: false };
      for (const each of sources) {
        const { embedded } = await embed(each, () => undefined, signal);
        const own = { ...counts, embedded };
        yield {
          type: 'done',
          source: `filesystem:${each.name}`,
          ok: true,
          error: null,
          counts: own,
          tookMs: 1,
        };
      }
      yield { type: 'end', ok: true, counts, tookMs: 1 };
    },
    watch: async () => undefined,
    remove: async () => undefined,
    close: async () => void asked.push('syncer closed'),
    ...parts.syncer,
  };
  let embed: NonNullable<SyncerOptions['embed']> = unasked;
  const knowledge = createKnowledge({
    openReader: async () => (asked.push('reader opened'), reader),
    async openSyncer(options) {
      asked.push('syncer opened');
      ({ embed } = options);
      return syncer;
    },
    locks: createSyncLocks(folder.path),
  });
  return {
    knowledge,
    asked,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await knowledge.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function all(events: AsyncIterable<SyncEvent>): Promise<SyncEvent[]> {
  const found: SyncEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

describe('knowledge', () => {
  it('starts its threads on demand, and ends them when closed', async () => {
    const opened = await room();
    await opened.knowledge.close();
    expect(opened.asked).toEqual([]);
    await opened.knowledge.sources(scope());
    await opened.knowledge.sources(scope());
    expect(opened.asked).toEqual(['reader opened']);
    await all(opened.knowledge.sync({}, scope(), never));
    expect(opened.asked.slice(1)).toEqual(['syncer opened', 'sync docs notes']);
    await opened[Symbol.asyncDispose]();
    expect(opened.asked.slice(3).toSorted()).toEqual(['reader closed', 'syncer closed']);
  });

  it('shows bound callers only their sources', async () => {
    const seen: unknown[] = [];
    await using opened = await room({
      reader: {
        search: async (_query, { sources }) => {
          seen.push(sources.map(({ name }) => name));
          return { mode: 'keyword', results: [], notes: [] };
        },
      },
    });
    await opened.knowledge.search({ query: 'x' }, scope(), never);
    await opened.knowledge.search({ query: 'x' }, scope({ only: ['notes'] }), never);
    await opened.knowledge.search({ query: 'x' }, scope({ only: ['filesystem:docs', 'gone'] }), never);
    await opened.knowledge.search({ query: 'x' }, scope({ only: [] }), never);
    expect(seen).toEqual([['docs', 'notes'], ['notes'], ['docs'], []]);
  });

  it('reports the location of a source that was never synced, as not healthy', async () => {
    await using opened = await room();
    expect(await opened.knowledge.sources(scope({ only: ['docs'] }))).toEqual([
      expect.objectContaining({
        id: 'filesystem:docs',
        location: '/here/docs',
        configured: true,
        healthy: false,
        last_sync: null,
        documents: 0,
      }),
    ]);
  });

  it('embeds synced documents by the config of their source', async () => {
    const embed: IndexReader['embed'] = async (_options, { sources, embedding }) => {
      expect(embedding).toEqual({ provider: 'ollama' });
      return { embedded: sources[0]?.name === 'docs' ? 2 : 0 };
    };
    await using opened = await room({ reader: { embed } });
    const events = await all(opened.knowledge.sync({}, scope({ embedding: { provider: 'ollama' } }), never));
    expect(events.map((event) => (event.type === 'done' ? event.counts.embedded : null))).toEqual([
      null,
      2,
      0,
      null,
    ]);
  });

  it('refuses an untrusted source outside of its workspace', async () => {
    await using outside = await tempFolder({ 'secret.md': 'x' });
    await using inside = await tempFolder({ 'docs/a.md': 'a' });
    symlinkSync(outside.path, join(inside.path, 'link'));
    const confined = (root: string) => ({
      ...source(root, 'here-2'),
      folder: inside.path,
      config: { root },
      confined: true,
    });
    await using opened = await room();
    const events = await all(
      opened.knowledge.sync({}, scope({ sources: [confined('docs'), confined('link')] }), never),
    );
    expect(opened.asked).toContain('sync docs');
    expect(events[1]).toMatchObject({ type: 'problem', source: 'filesystem:link' });
    expect(events.at(-1)).toMatchObject({ type: 'end', ok: false });
  });

  it('allows one syncing process at a time, and names it in the error', async () => {
    await using opened = await room();
    await all(opened.knowledge.sync({}, scope({ sources: [source('docs')] }), never));
    const code = `
      import { readdirSync, writeFileSync } from 'node:fs';
      import { DatabaseSync } from '@photostructure/sqlite';
      const folder = ${JSON.stringify(opened.folder)};
      for (const name of readdirSync(folder).filter((each) => each.endsWith('.lock'))) {
        (globalThis.held ??= []).push(new DatabaseSync(folder + '/' + name));
        held.at(-1).exec('BEGIN EXCLUSIVE');
        const holder = { pid: process.pid, since: '2026-11-15T10:00:00.000Z' };
        writeFileSync(folder + '/' + name + '.json', JSON.stringify(holder));
      }
      console.log('taken');
      setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', code]);
    await once(other.stdout, 'data');
    await expect(all(opened.knowledge.sync({}, scope(), never))).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(
        `filesystem:docs is already being synced or watched by process ${other.pid}`,
      ),
    });
    // Each source has its own lock, and a dry run needs none.
    await all(opened.knowledge.sync({}, scope({ sources: [source('notes', null)] }), never));
    await all(opened.knowledge.sync({ dry_run: true }, scope(), never));
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect((await all(opened.knowledge.sync({}, scope(), never))).at(-1)).toMatchObject({ type: 'end' });
  });
});
