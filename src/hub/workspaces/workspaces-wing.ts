import type { Database } from '../../platform/store/database.ts';
import { isFolderGone, listWorkspaces } from '../../platform/home/workspaces.ts';
import { approveTrust, revokeTrust } from '../../platform/trust/trust.ts';
import type { Layer } from '../../registry/layers/layer.ts';
import type { Wing } from '../wing.ts';
import type { Views } from './views.ts';

export interface WorkspacesWingParts {
  db: Database;
  now: () => Date;
  views: Views;
}

/** Workspaces and their trust. */
export function createWorkspacesWing({ db, now, views }: WorkspacesWingParts): Wing<'workspaces'> {
  /** From disk: the watcher may not have seen the latest save yet. */
  async function freshLayer(workspace: string): Promise<Layer> {
    const { layer } = await views.open(workspace);
    await layer.reload();
    return layer;
  }

  return {
    operations: {
      async listWorkspaces() {
        const rows = await listWorkspaces(db);
        const known = await Promise.all(
          rows.map(async (row) => {
            const open = await views.describeOpen(row.id);
            return open ?? ((await isFolderGone(row.path)) ? [] : row);
          }),
        );
        return { workspaces: known.flat() };
      },

      async openWorkspace({ body: { path } }) {
        return (await views.open(await views.identify(path))).describe();
      },

      getTrust: async (_input, { workspace }) => (await freshLayer(workspace)).current().trust,

      async approveTrust({ body: { hash } }, { workspace }) {
        const layer = await freshLayer(workspace);
        const { trust, approved } = layer.current();
        await approveTrust(db, trust, hash, now(), approved);
        await layer.reload();
        return layer.current().trust;
      },

      async revokeTrust(_input, { workspace }) {
        const { layer } = await views.open(workspace);
        await revokeTrust(db, layer.current().trust, now());
        await layer.reload();
        return layer.current().trust;
      },
    },
  };
}
