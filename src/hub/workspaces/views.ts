import { isAbsolute } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import type { Workspace } from '../../contract/workspace.ts';
import {
  type LocatedWorkspace,
  locateWorkspace,
  lookupWorkspace,
  rememberWorkspace,
} from '../../platform/home/workspaces.ts';
import type { Database } from '../../platform/store/database.ts';
import { recordEvent } from '../../platform/store/events.ts';
import { asError } from '../../platform/text/error-message.ts';
import type { Layer, LayerSnapshot } from '../../registry/layers/layer.ts';
import { eventsBetween } from '../../registry/layers/layer-events.ts';
import { createView, type View, type ViewParts } from './view.ts';

const IDLE_MS = 10 * 60 * 1000;

export interface Views {
  /**
   * The id of the named workspace, which is opened and stored. With `known`, folders that were never opened are
   * rejected: a read must not have side effects.
   */
  identify(named: string | undefined, options?: { known?: boolean }): Promise<string>;
  open(id: string): Promise<View>;
  /** Keeps a view open, even without calls, until the returned function is called. */
  hold(id: string): Promise<() => void>;
  /** Describes a workspace only if it is open. */
  describeOpen(id: string): Promise<Workspace | null>;
  /** Called with each view that is open or opened later; `onClose` when an idle one is closed. */
  follow(listener: ViewListener): void;
  close(): Promise<void>;
}

export interface ViewListener {
  onOpen(view: View): void;
  onClose(view: View): void;
}

export interface ViewsOptions extends ViewParts {
  db: Database;
  now: () => Date;
  /** The workspace that the hub was started in; stays open. */
  start: LocatedWorkspace;
  /** The start folder, if an explicit config is elsewhere; callers from there get `start`. */
  standIn: string | null;
  createLayer(located: LocatedWorkspace): Promise<Layer>;
  /** Idle time after which a view and its watches are closed. It is reopened on demand. */
  idleMs?: number;
  log(message: string, error: unknown): void;
}

interface Opened {
  view: Promise<View>;
  usedAt: number;
  holds: number;
}

/** The views of all open workspaces. */
export function createViews(options: ViewsOptions): Views {
  const { db, start, ownLayer, idleMs = IDLE_MS, log } = options;
  const opened = new Map<string, Opened>();
  const ready = new Set<View>();
  const listeners: ViewListener[] = [];
  const closing = new Set<Promise<void>>();
  const timer = setInterval(closeIdle, Math.max(10, idleMs / 4)).unref();

  async function open(located: LocatedWorkspace): Promise<View> {
    const layer = await options.createLayer(located);
    try {
      layer.onChange((next, previous) => void recordChange(options, located, layer.owner, next, previous));
      const view = createView(options, located, layer);
      await rememberWorkspace(db, view.describe(), options.now());
      ready.add(view);
      for (const listener of listeners) listener.onOpen(view);
      return view;
    } catch (error) {
      await layer.close();
      throw error;
    }
  }

  function opening(located: LocatedWorkspace): Opened {
    const known = opened.get(located.id);
    if (known) return known;
    const entry = { view: open(located), usedAt: performance.now(), holds: 0 };
    opened.set(located.id, entry);
    // A failed open is not cached.
    entry.view.catch(() => opened.delete(located.id));
    return entry;
  }

  async function entryOf(id: string): Promise<Opened> {
    const entry = opened.get(id) ?? opening(id === start.id ? start : await findWorkspace(db, id));
    entry.usedAt = performance.now();
    return entry;
  }

  function closeIdle(): void {
    for (const [id, { view, usedAt, holds }] of opened) {
      if (id === start.id || holds > 0 || performance.now() - usedAt < idleMs) continue;
      opened.delete(id);
      const work: Promise<void> = closeView(id, view).finally(() => closing.delete(work));
      closing.add(work);
    }
  }

  async function closeView(id: string, opening: Promise<View>): Promise<void> {
    try {
      const view = await opening;
      ready.delete(view);
      for (const listener of listeners) listener.onClose(view);
      await view.layer.close();
    } catch (error) {
      log(`closing the idle workspace ${id} failed`, error);
    }
  }

  ownLayer?.onChange((next, previous) => void recordChange(options, null, null, next, previous));

  return {
    async identify(named, { known = false } = {}) {
      if (named === undefined || named === start.id || named === options.standIn) return start.id;
      if (opened.has(named)) return named;
      const located = isAbsolute(named) ? await locateWorkspace(named, {}) : await findWorkspace(db, named);
      if (known && !opened.has(located.id)) await findWorkspace(db, located.id);
      const entry = opening(located);
      entry.usedAt = performance.now();
      await entry.view;
      return located.id;
    },

    open: async (id) => (await entryOf(id)).view,

    hold: async (id) => holdEntry(await entryOf(id)),

    describeOpen: async (id) => (await opened.get(id)?.view.catch(() => null))?.describe() ?? null,

    follow(listener) {
      listeners.push(listener);
      for (const view of ready) listener.onOpen(view);
    },

    async close() {
      clearInterval(timer);
      const views = await Promise.allSettled([...opened.values()].map(({ view }) => view));
      const layers = views.flatMap((view) => (view.status === 'fulfilled' ? [view.value.layer] : []));
      await allOrThrow([...layers.map((layer) => layer.close()), ...closing]);
    },
  };
}

/** Records a change of files as events, like every other change. */
async function recordChange(
  { db, now, log }: Pick<ViewsOptions, 'db' | 'now' | 'log'>,
  located: LocatedWorkspace | null,
  owner: string | null,
  next: LayerSnapshot,
  previous: LayerSnapshot,
): Promise<void> {
  const events = eventsBetween(owner, next, previous);
  const at = now();
  try {
    const isFact = next.trust.state !== previous.trust.state || next.config.file !== previous.config.file;
    if (located && isFact) {
      const { id, path } = located;
      await rememberWorkspace(db, { id, path, config: next.config.file, trust: next.trust.state }, at);
    }
    if (events.length === 0) return;
    await db.transaction(async (tx) => {
      for (const event of events) await recordEvent(tx, event, at.toISOString());
    });
  } catch (error) {
    // The new files are served anyway; only event followers miss the change.
    log(`recording a change of files in ${located?.path ?? 'the config directory'} failed`, error);
  }
}

async function findWorkspace(db: Database, id: string): Promise<LocatedWorkspace> {
  const path = await lookupWorkspace(db, id);
  if (path === null) {
    throw new ZooError(
      'workspace_not_found',
      `Workspace '${id}' not found. Send its folder to POST /api/workspaces to get its id.`,
      { workspace: id },
    );
  }
  return locateWorkspace(path, {});
}

/** Keeps a view open until the returned function is called. */
function holdEntry(entry: Opened): () => void {
  entry.holds += 1;
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    entry.holds -= 1;
    entry.usedAt = performance.now();
  };
}

/** Waits for all, whichever fails first. */
async function allOrThrow(work: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(work);
  const failures = ended.flatMap((each) => (each.status === 'rejected' ? [asError(each.reason)] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'Closing a workspace failed.');
}
