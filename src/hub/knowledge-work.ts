import { ZooError } from '../contract/errors.ts';
import { SyncCounts, type SyncEvent, type SyncOptions } from '../contract/knowledge.ts';
import type { Knowledge, KnowledgeScope } from '../knowledge/knowledge.ts';
import { knowledgeScopesByConfig, untrustedSources } from './knowledge-scope.ts';
import { createSyncQueue } from './sync-queue.ts';
import { chooseSources, isNamed, sourceId } from './source-names.ts';
import type { View } from './views.ts';

type Told = { background?: boolean | undefined };

/** Syncs and what else takes its time, whoever asked for it. */
export interface KnowledgeWork {
  /** It ends with the signal unless it is told to go on in the background; then only the events stop. */
  sync(view: View, options: SyncOptions & Told, signal: AbortSignal): AsyncGenerator<SyncEvent>;
  embed(
    view: View,
    options: { all?: boolean | undefined } & Told,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
  /** How many run, and when the last one ended (as of `performance.now`). */
  use(): { open: number; lastAt: number };
  /** Ends what runs, and waits for it. */
  close(): Promise<void>;
}

export interface KnowledgeWorkOptions {
  knowledge: Knowledge;
  /** Tells everybody that a source was synced. */
  announce(owner: string | null, event: Extract<SyncEvent, { type: 'done' }>): Promise<void>;
}

export function createKnowledgeWork({ knowledge, announce }: KnowledgeWorkOptions): KnowledgeWork {
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  let lastAt = performance.now();

  /** Runs to its end or until its signal, whether or not somebody reads along. */
  async function* run(
    open: (signal: AbortSignal) => AsyncGenerator<SyncEvent>,
    { background = false }: Told,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    const stop = background ? closing.signal : AbortSignal.any([closing.signal, signal]);
    const events = createSyncQueue();
    const work = (async () => {
      for await (const event of open(stop)) events.push(event);
    })().then(events.end, events.fail);
    running.add(work);
    void work.finally(() => {
      running.delete(work);
      lastAt = performance.now();
    });
    const leave = () => events.end();
    signal.addEventListener('abort', leave, { once: true });
    try {
      yield* events.read();
    } finally {
      signal.removeEventListener('abort', leave);
      // Who asked for it wants its end, too: the next one finds everything settled.
      if (!background) await work;
    }
  }

  async function* told(
    scope: KnowledgeScope,
    dryRun: boolean,
    events: AsyncGenerator<SyncEvent>,
  ): AsyncGenerator<SyncEvent> {
    for await (const event of events) {
      if (event.type === 'done' && !dryRun) {
        const source = scope.sources.find((each) => sourceId(each) === event.source);
        await announce(source?.owner ?? null, event);
      }
      yield event;
    }
  }

  return {
    sync: (view, { background, what, ...options }, signal) =>
      run(
        (stop) => {
          const scopes = chooseScopes(view, what);
          return together(
            scopes,
            options.dry_run ?? false,
            scopes.map((scope) =>
              told(scope, options.dry_run ?? false, knowledge.sync(options, scope, stop)),
            ),
          );
        },
        { background },
        signal,
      ),

    embed: (view, { background, all = false }, signal) =>
      run(
        (stop) => {
          const scopes = knowledgeScopesByConfig(view);
          return together(
            scopes,
            false,
            scopes.map((scope) => knowledge.embed({ rebuild: all }, scope, stop)),
          );
        },
        { background },
        signal,
      ),

    use: () => ({ open: running.size, lastAt }),

    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}

/** What `what` means, by config. `all`, or nothing, is everything. */
function chooseScopes(view: View, what: string | undefined): KnowledgeScope[] {
  const scopes = knowledgeScopesByConfig(view);
  const waiting = untrustedSources(view);
  if (what === undefined || what === 'all') {
    if (scopes.length > 0) return scopes;
    if (waiting.length > 0) throw untrusted(waiting.map(({ id }) => id));
    throw new ZooError(
      'invalid_arguments',
      'There is nothing to sync: no source is configured here. Add one to zoo.toml, such as `[connectors.filesystem.docs]` with `root = "docs"`.',
    );
  }
  const sources = scopes.flatMap((scope) => scope.sources);
  const refused = waiting.filter((source) => isNamed(source, what));
  if (refused.length > 0 && !sources.some((source) => isNamed(source, what))) {
    throw untrusted(refused.map(({ id }) => id));
  }
  const chosen = new Set(chooseSources(what, sources));
  return scopes
    .map((scope) => ({ ...scope, sources: scope.sources.filter((source) => chosen.has(source)) }))
    .filter((scope) => scope.sources.length > 0);
}

function untrusted(ids: readonly string[]): ZooError {
  return new ZooError(
    'untrusted',
    `${ids.join(', ')} would be read from outside of a workspace that you have not approved.`,
    { sources: ids },
  );
}

const COUNTED = SyncCounts.keyof().options;
const noCounts = (): SyncCounts => SyncCounts.parse(Object.fromEntries(COUNTED.map((key) => [key, 0])));

/** Several syncs, one after another, as one: it starts once and ends once. */
async function* together(
  scopes: readonly KnowledgeScope[],
  dryRun: boolean,
  syncs: readonly AsyncGenerator<SyncEvent>[],
): AsyncGenerator<SyncEvent> {
  const counts = noCounts();
  const startedAt = performance.now();
  let ok = true;
  const sources = scopes.flatMap((scope) => scope.sources.map(sourceId));
  for (const [index, sync] of syncs.entries()) {
    for await (const event of sync) {
      // What fails before anything has begun is told by throwing, so nothing is said before.
      if (event.type === 'start') {
        if (index === 0) yield { type: 'start', sources, dryRun };
      } else if (event.type === 'end') {
        ok &&= event.ok;
        for (const key of COUNTED) counts[key] += event.counts[key];
      } else yield event;
    }
  }
  yield { type: 'end', ok, counts, tookMs: performance.now() - startedAt };
}
