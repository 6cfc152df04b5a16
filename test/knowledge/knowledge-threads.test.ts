import { once } from 'node:events';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { SyncEvent } from '../../src/contract/knowledge.ts';
import { createIndexReader } from '../../src/knowledge/index/create-index-reader.ts';
import { createKnowledge } from '../../src/knowledge/create-knowledge.ts';
import type { KnowledgeScope } from '../../src/knowledge/knowledge.ts';
import { createSyncLocks } from '../../src/knowledge/sync/sync-lock.ts';
import { createSyncer } from '../../src/knowledge/sync/create-syncer.ts';
import { tempFolder } from '../temp-folder.ts';

const never = new AbortController().signal;
const TRY_AGAIN = {
  code: 'tool_error',
  message: expect.stringMatching(/exited unexpectedly.* Try again/),
};

/** The room on files of its own, as a hub opens it, and the threads that it has started. */
async function room() {
  const folder = await tempFolder(
    Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`docs/${n}.md`, `# Page ${n}\n\nThe quokka.\n`]),
    ),
  );
  const index = join(folder.path, 'index.db');
  const threads: Worker[] = [];
  const started = (worker: Worker): void => void threads.push(worker);
  process.on('worker', started);
  const knowledge = createKnowledge({
    openReader: async () => createIndexReader({ file: index }),
    openSyncer: async (options) => createSyncer({ index, cache: join(folder.path, 'cache'), ...options }),
    locks: createSyncLocks(join(folder.path, 'locks')),
  });
  const source = {
    owner: null,
    type: 'filesystem',
    name: 'docs',
    folder: folder.path,
    config: { root: 'docs' },
  } as const;
  const scope: KnowledgeScope = {
    sources: [source],
    only: null,
    chunking: {},
    retrieval: {},
    embedding: {},
  };
  return {
    threads,
    search: () => knowledge.search({ query: 'quokka' }, scope, never),
    async sync(onEvent: (event: SyncEvent) => void = () => undefined) {
      for await (const event of knowledge.sync({ full: true }, scope, never)) {
        onEvent(event);
        if (event.type === 'end') return event;
      }
      throw new Error('it has no end');
    },
    watch: (signal: AbortSignal, onEvent: (event: SyncEvent) => void) =>
      knowledge.watch(scope, signal, onEvent),
    async [Symbol.asyncDispose]() {
      process.off('worker', started);
      await knowledge.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

type End = (thread: Worker | undefined) => unknown;

const ends: [string, SyncEvent['type'], End][] = [
  // Not while it writes: SQLite's binding takes the whole process with it then.
  ['is ended', 'start', (thread) => thread?.terminate()],
  // Neither thread expects it, so that it fails as it would by a mistake of ours.
  ['fails', 'progress', (thread) => thread?.postMessage(null)],
];

describe.each(ends)('a thread that %s', (_how, when, end) => {
  it('fails pending searches, and the next one works', async () => {
    await using knowledge = await room();
    await knowledge.sync();
    await knowledge.search();
    const thread = knowledge.threads.at(-1);
    const gone = once(thread!, 'exit').catch(() => undefined);
    void end(thread);
    const waiting = await Promise.allSettled([knowledge.search(), knowledge.search()]);
    expect(waiting).toMatchObject([
      { status: 'rejected', reason: TRY_AGAIN },
      { status: 'rejected', reason: TRY_AGAIN },
    ]);
    // While the old one is still on its way out, too.
    expect((await knowledge.search()).results.length).toBeGreaterThan(0);
    await gone;
    expect((await knowledge.search()).results.length).toBeGreaterThan(0);
  });

  it('fails the running sync, and the next one completes it', async () => {
    await using knowledge = await room();
    const interrupted = () => {
      let ended = false;
      return knowledge.sync(({ type }) => {
        if (ended || type !== when) return;
        ended = true;
        setImmediate(() => end(knowledge.threads.at(-1)));
      });
    };
    // On a busy machine a sync may be over before its thread gets the message.
    await expect.poll(() => interrupted().catch((error: unknown) => error)).toMatchObject(TRY_AGAIN);
    expect(await knowledge.sync()).toMatchObject({ ok: true, counts: { scanned: 400, failed: 0 } });
    expect((await knowledge.search()).results.length).toBeGreaterThan(0);
  });
});

it('a thread that fails ends its watch, and the next one works', async () => {
  await using knowledge = await room();
  const watching = knowledge.watch(never, ({ type }) => {
    if (type === 'done') knowledge.threads.at(-1)?.postMessage(null);
  });
  await expect(watching).rejects.toMatchObject(TRY_AGAIN);
  const stop = new AbortController();
  await knowledge.watch(stop.signal, ({ type }) => type === 'done' && stop.abort());
});
