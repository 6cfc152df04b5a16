import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { openWatches } from '../../../test/open-watches.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { emptyConfig } from '../../platform/config/config.ts';
import { locateWorkspace } from '../../platform/home/workspaces.ts';
import type { Database } from '../../platform/store/database.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { createAgentStore } from '../../registry/agent-store.ts';
import type { Layer, LayerSnapshot } from '../../registry/layers/layer.ts';
import { createHub } from '../create-hub.ts';
import { createViews } from './views.ts';
import { PATIENCE } from '../../../test/patience.ts';

async function opened() {
  const folder = await tempFolder({ 'start/zoo.toml': '', 'a/zoo.toml': '', 'b/zoo.toml': '' });
  const db = await openSqlite(join(folder.path, 'home/zoo.db'), { threads: false });
  const layers: (Layer & { closed: boolean })[] = [];
  const problems: string[] = [];
  const views = (database: Database = db, idleMs?: number) =>
    createViews({
      db: database,
      store: createAgentStore(db, () => new Date()),
      registered: () => [],
      now: () => new Date(),
      start: { id: 'start', path: join(folder.path, 'start'), configFile: null },
      standIn: null,
      ownLayer: null,
      ...(idleMs === undefined ? {} : { idleMs }),
      log: (message) => problems.push(message),
      async createLayer({ id, path }) {
        const layer = fakeLayer(id, path);
        layers.push(layer);
        return layer;
      },
    });
  const close = async () => {
    await db.close();
    await folder[Symbol.asyncDispose]();
  };
  return { folder, db, views, layers, problems, [Symbol.asyncDispose]: close };
}

/** A layer without files, so that a test can count how many are open and change what they hold. */
function fakeLayer(owner: string, folder: string): Layer & { closed: boolean; change(): void } {
  const snapshot = (state: 'untrusted' | 'trusted'): LayerSnapshot => ({
    config: emptyConfig(folder),
    expanded: null,
    variables: {},
    secrets: [],
    unset: [],
    trust: { workspace: owner, path: folder, state, hash: '', runnables: [] },
    approved: null,
    agents: [],
    diagnostics: [],
  });
  let current = snapshot('untrusted');
  const listeners = new Set<(next: LayerSnapshot, previous: LayerSnapshot) => void>();
  const layer = {
    owner,
    folder,
    closed: false,
    current: () => current,
    reload: async () => undefined,
    edit: async () => undefined,
    onChange(listener: (next: LayerSnapshot, previous: LayerSnapshot) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change() {
      const previous = current;
      current = snapshot('trusted');
      for (const listener of listeners) listener(current, previous);
    },
    async close() {
      layer.closed = true;
    },
  };
  return layer;
}

const failing = (db: Database): Database => ({
  ...db,
  transaction: () => Promise.reject(new Error('disk full')),
});

describe('views', () => {
  it('closes its files again when opening a workspace fails', async () => {
    await using store = await opened();
    const views = store.views(failing(store.db));
    await expect(views.identify(join(store.folder.path, 'a'))).rejects.toThrow('disk full');
    expect(store.layers.map(({ closed }) => closed)).toEqual([true]);
    await views.close();
  });

  it('logs a change of files that could not be recorded', async () => {
    await using store = await opened();
    const views = store.views();
    await views.identify(join(store.folder.path, 'a'));
    await views.close();
    const broken = store.views(failing(store.db));
    await broken.identify(join(store.folder.path, 'a'));
    const layer = store.layers.at(-1);
    if (layer && 'change' in layer && typeof layer.change === 'function') layer.change();
    await vi.waitFor(() => expect(store.problems).toHaveLength(1), PATIENCE);
    expect(store.problems[0]).toMatch(/^recording a change of files in .*a failed$/);
    await broken.close();
  });

  it('closes idle workspaces, keeps those that are held, and opens them again on demand', async () => {
    await using store = await opened();
    const views = store.views(store.db, 40);
    const [a, b] = await Promise.all(['a', 'b'].map((name) => views.identify(join(store.folder.path, name))));
    await views.open('start');
    const closed: string[] = [];
    views.follow({ onOpen: () => undefined, onClose: ({ located }) => closed.push(located.id) });
    const release = await views.hold(b ?? '');
    // On a busy machine both may have been idle for too long by now.
    closed.length = 0;
    await views.open(a ?? '');
    await vi.waitFor(() => expect(closed).toEqual([a]), PATIENCE);
    await sleep(60);
    expect(closed).toEqual([a]);
    expect(store.layers.filter((layer) => !layer.closed).map(({ owner }) => owner)).toEqual([b, 'start']);
    expect((await views.open(a ?? '')).located.id).toBe(a);
    release();
    await vi.waitFor(() => expect(closed).toContain(b), PATIENCE);
    await views.close();
  });

  it('rejects an unknown folder when only known ones are allowed', async () => {
    await using store = await opened();
    const views = store.views();
    const path = join(store.folder.path, 'a');
    await expect(views.identify(path, { known: true })).rejects.toMatchObject({
      code: 'workspace_not_found',
    });
    expect(store.layers).toEqual([]);
    const { id } = await locateWorkspace(path);
    await views.identify(path);
    expect(await views.identify(path, { known: true })).toBe(id);
    await views.close();
  });
});

describe('listing workspaces', () => {
  it('opens no workspace, and omits only those whose folder was deleted', async () => {
    const folders = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`w${index}/zoo.toml`, '[agents.a]\nsystem_prompt = "x"\n']),
    );
    await using folder = await tempFolder({ ...folders, 'start/zoo.toml': '' });
    const options = {
      home: join(folder.path, 'home'),
      env: { ZOO_CONFIG_DIR: join(folder.path, 'config') },
      folder: join(folder.path, 'start'),
      serving: true,
      watch: true,
    };
    const first = await createHub(options);
    const context = first.localContext(await first.workspaceFor(undefined));
    for (let index = 0; index < 30; index += 1) {
      await first.operations.openWorkspace({ body: { path: join(folder.path, `w${index}`) } }, context);
    }
    await first.close();
    await rm(join(folder.path, 'w0'), { recursive: true });
    await rm(join(folder.path, 'w1'), { recursive: true });
    await writeFile(join(folder.path, 'w1'), 'a file now');

    const second = await createHub(options);
    const there = second.localContext(await second.workspaceFor(undefined));
    const before = await openWatches();
    const { workspaces } = await second.operations.listWorkspaces({}, there);
    // Two for each workspace that were opened; those of the start folder itself may still be settling.
    expect((await openWatches()) - before).toBeLessThan(20);
    await second.close();
    const names = new Set(workspaces.map(({ path }) => path.split('/').at(-1)));
    expect(names).toEqual(new Set(['start', ...Array.from({ length: 28 }, (_, index) => `w${index + 2}`)]));
    expect(workspaces.find(({ path }) => path.endsWith('w5'))).toMatchObject({
      config: join(folder.path, 'w5/zoo.toml'),
      trust: 'nothing-to-trust',
    });
  });
});
