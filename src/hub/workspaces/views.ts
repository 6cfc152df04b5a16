import { isAbsolute } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import {
  type LocatedWorkspace,
  locateWorkspace,
  lookupWorkspace,
  rememberWorkspace,
} from '../../platform/home/workspaces.ts';
import type { Database } from '../../platform/store/database.ts';
import { recordEvent } from '../../platform/store/events.ts';
import type { Layer, LayerSnapshot } from '../../registry/layers/layer.ts';
import { eventsBetween } from './layer-events.ts';
import { createView, type View, type ViewParts } from './view.ts';

export interface Views {
  /** The id of what a caller named; the workspace is remembered under it. */
  identify(named: string | undefined): Promise<string>;
  open(id: string): Promise<View>;
  /** Called with each view once it is open, and at once with those that are. */
  onOpen(listener: (view: View) => void): void;
  close(): Promise<void>;
}

export interface ViewsOptions extends ViewParts {
  db: Database;
  now: () => Date;
  /** Where the hub was started. */
  start: LocatedWorkspace;
  /** The folder it was started in, if a config elsewhere was named for it; callers from there get `start`. */
  standIn: string | null;
  createLayer(located: LocatedWorkspace): Promise<Layer>;
}

/** Layers are opened when a caller first comes from a workspace, and stay open and watched. */
export function createViews(options: ViewsOptions): Views {
  const { db, start, ownLayer } = options;
  const opened = new Map<string, Promise<View>>();
  const ready: View[] = [];
  const listeners: ((view: View) => void)[] = [];

  async function open(located: LocatedWorkspace): Promise<View> {
    const layer = await options.createLayer(located);
    layer.onChange((next, previous) => void announce(options, layer.owner, next, previous));
    await rememberWorkspace(db, located, options.now());
    const view = createView(options, located, layer);
    ready.push(view);
    for (const listener of listeners) listener(view);
    return view;
  }
  function opening(located: LocatedWorkspace): Promise<View> {
    const known = opened.get(located.id);
    if (known) return known;
    const view = open(located);
    opened.set(located.id, view);
    // What failed may succeed the next time it is asked for.
    view.catch(() => opened.delete(located.id));
    return view;
  }

  ownLayer?.onChange((next, previous) => void announce(options, null, next, previous));
  return {
    async identify(named) {
      if (named === undefined || named === start.id || named === options.standIn) return start.id;
      if (opened.has(named)) return named;
      const located = isAbsolute(named) ? await locateWorkspace(named, {}) : await find(named);
      return (await opening(located)).located.id;
    },

    async open(id) {
      return opened.get(id) ?? opening(id === start.id ? start : await find(id));
    },

    onOpen(listener) {
      listeners.push(listener);
      for (const view of ready) listener(view);
    },

    async close() {
      const views = await Promise.allSettled(opened.values());
      const layers = views.flatMap((view) => (view.status === 'fulfilled' ? [view.value.layer] : []));
      await Promise.all(layers.map((layer) => layer.close()));
    },
  };

  async function find(id: string): Promise<LocatedWorkspace> {
    const path = await lookupWorkspace(db, id);
    if (path === null) {
      throw new ZooError(
        'workspace_not_found',
        `There is no workspace '${id}'. Name its folder once (POST /api/workspaces) to get its id.`,
        { workspace: id },
      );
    }
    return locateWorkspace(path, {});
  }
}

/** Records a change of files as events, like every other change. */
async function announce(
  { db, now }: Pick<ViewsOptions, 'db' | 'now'>,
  owner: string | null,
  next: LayerSnapshot,
  previous: LayerSnapshot,
): Promise<void> {
  const events = eventsBetween(owner, next, previous);
  if (events.length === 0) return;
  // A failed write is the store's trouble and shows there; the new files are served all the same.
  await db
    .transaction(async (tx) => {
      for (const event of events) await recordEvent(tx, event, now().toISOString());
    })
    .catch(() => undefined);
}
