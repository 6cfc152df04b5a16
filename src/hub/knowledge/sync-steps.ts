import { ZooError } from '../../contract/errors.ts';
import type { SyncEvent, SyncOptions } from '../../contract/knowledge.ts';
import type { Knowledge, KnowledgeScope } from '../../knowledge/knowledge.ts';
import { sourceId } from '../../knowledge/source-reference.ts';
import type { Layer } from '../../registry/layers/layer.ts';
import type { View } from '../workspaces/view.ts';
import type { AnnounceSync } from './announce-sync.ts';
import { chooseScopes, meansAll } from './choose-scopes.ts';
import { sourcesNamedBy, untrustedSources } from './knowledge-scope.ts';
import { syncTogether } from './sync-together.ts';

export interface SyncStepsOptions {
  knowledge: Knowledge;
  /** Whether sources missing from the config may be removed; false if an explicit config replaces another. */
  removes(): boolean;
  announce: AnnounceSync;
}

/** The parts of a sync, which announce what they have done. */
export interface SyncSteps {
  /** Announces the end of a source's sync; other events are not for everybody. */
  tell(scope: KnowledgeScope, event: SyncEvent): Promise<void>;
  /** The workspace's sources that `what` selects. */
  choose(view: View, what: string | undefined, signal: AbortSignal): Promise<KnowledgeScope[]>;
  /** Syncs these and, if all were selected, drops sources that are not in any config. */
  sync(
    view: View,
    scopes: readonly KnowledgeScope[],
    options: SyncOptions,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
  /** Removes sources that are no longer in the config. */
  removing(
    layer: Layer,
    options: Pick<SyncOptions, 'dry_run'>,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
}

export function createSyncSteps({ knowledge, removes, announce }: SyncStepsOptions): SyncSteps {
  async function tell(scope: KnowledgeScope, event: SyncEvent): Promise<void> {
    if (event.type !== 'done') return;
    const source = scope.sources.find((each) => sourceId(each) === event.source);
    await announce(source?.owner ?? null, event);
  }

  async function* syncing(
    scope: KnowledgeScope,
    options: SyncOptions,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    for await (const event of knowledge.sync(options, scope, signal)) {
      if (!options.dry_run) await tell(scope, event);
      yield event;
    }
  }

  async function* removing(
    layer: Layer,
    options: Pick<SyncOptions, 'dry_run'>,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    const named = removes() ? sourcesNamedBy(layer) : null;
    if (named === null) return;
    for await (const event of knowledge.removeOthers(layer.owner, named, options, signal)) {
      if (event.type === 'removed' && !options.dry_run) await announce(layer.owner, event);
      yield event;
    }
  }

  /** A config without sources has nothing to sync, but removed sources must still be deleted. */
  async function choose(
    view: View,
    what: string | undefined,
    signal: AbortSignal,
  ): Promise<KnowledgeScope[]> {
    try {
      return chooseScopes(view, what);
    } catch (error) {
      if (!(meansAll(what) && error instanceof ZooError && error.code === 'invalid_arguments')) throw error;
      for (const layer of view.layers) {
        const { done } = await removing(layer, { dry_run: true }, signal).next();
        if (!done) return [];
      }
      throw error;
    }
  }

  return {
    tell,
    choose,
    removing,
    sync: (view, scopes, { what, ...options }, signal) =>
      syncTogether(
        scopes,
        options.dry_run ?? false,
        scopes.map((scope) => syncing(scope, options, signal)),
        meansAll(what)
          ? [leftWaiting(view), ...view.layers.map((layer) => removing(layer, options, signal))]
          : [],
      ),
  };
}

/** Reported, so that a partial sync does not look complete. */
async function* leftWaiting(view: View): AsyncGenerator<SyncEvent> {
  for (const { id, last_error } of untrustedSources(view)) {
    yield { type: 'problem', source: id, path: null, reason: `was left out. ${last_error ?? ''}` };
  }
}
