import { sourceId } from '../../knowledge/source-reference.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfiguredSource } from '../../knowledge/connector.ts';
import type { KnowledgeScope } from '../../knowledge/knowledge.ts';
import type { Layer } from '../../registry/layers/layer.ts';
import { knowledgeScopeOfLayer } from './knowledge-scope.ts';
import type { KnowledgeWork } from './knowledge-work.ts';
import type { View } from '../workspaces/view.ts';

/** Keeps the sources of all open workspaces up to date. */
export interface KnowledgeLive {
  follow(view: View): void;
  /** For a closed view; the user's own layer is shared and stays watched. */
  unfollow(view: View): void;
  close(): void;
}

/** Delays the first scan, so that the hub answers its first callers quickly. */
const DELAY_MS = 300;
const RETRY_MS = 30_000;
/** A removed source may reappear at once: some editors truncate a file before writing it. */
const GONE_AFTER_MS = 3000;

export function createKnowledgeLive(
  work: KnowledgeWork,
  log: (message: string, error: unknown) => void,
): KnowledgeLive {
  const followed = new Map<Layer, () => void>();
  const closing = new AbortController();

  function follow(layer: Layer, scopeNow: () => KnowledgeScope): () => void {
    const kept = new Map<string, AbortController>();
    const ended = new AbortController();
    let gone: NodeJS.Timeout | undefined;
    const drop = (): void => {
      work.removeGone(layer, ended.signal).catch((error: unknown) => {
        if (!ended.signal.aborted)
          log(`removing the sources that ${layer.folder} no longer has failed`, error);
      });
    };
    const look = (): void => {
      if (closing.signal.aborted) return;
      clearTimeout(gone);
      gone = setTimeout(drop, GONE_AFTER_MS).unref();
      const scope = scopeNow();
      const { sources, chunking, embedding } = scope;
      const wanted = new Map(sources.map((each) => [JSON.stringify([each, chunking, embedding]), each]));
      for (const [key, stop] of kept) {
        if (wanted.has(key)) continue;
        stop.abort();
        kept.delete(key);
      }
      for (const [key, source] of wanted) {
        if (kept.has(key)) continue;
        const stop = new AbortController();
        kept.set(key, stop);
        void keep(source, scope, stop.signal);
      }
    };
    const timer = setTimeout(look, DELAY_MS).unref();
    const unlisten = layer.onChange(look);
    return () => {
      clearTimeout(timer);
      clearTimeout(gone);
      unlisten();
      ended.abort();
      for (const stop of kept.values()) stop.abort();
    };
  }

  /** Failures are retried: another process may be syncing, or a folder may come back. */
  async function keep(source: ConfiguredSource, scope: KnowledgeScope, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return await work.keepLive(source, scope, signal);
      } catch (error) {
        if (signal.aborted) return;
        log(`keeping ${sourceId(source)} up to date failed`, error);
        await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  return {
    follow(view) {
      for (const layer of view.layers) {
        if (!followed.has(layer))
          followed.set(
            layer,
            follow(layer, () => knowledgeScopeOfLayer(view, layer)),
          );
      }
    },
    unfollow({ layer }) {
      followed.get(layer)?.();
      followed.delete(layer);
    },
    close() {
      closing.abort();
      for (const end of followed.values()) end();
      followed.clear();
    },
  };
}
