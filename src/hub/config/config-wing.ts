import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import type { ConfigChange, ConfigEdit, ConfigTarget } from '../../contract/operations/config.ts';
import { CONFIG_NAMES } from '../../platform/config/config.ts';
import { type ConfigText, loadConfig, saveConfig, whereIn } from '../../platform/config-edits/config-file.ts';
import { BrokenConfig } from '../../platform/config-edits/format.ts';
import type { Database } from '../../platform/store/database.ts';
import { approveTrust } from '../../platform/trust/trust.ts';
import type { Layer } from '../../registry/layers/layer.ts';
import type { Wing } from '../wing.ts';
import type { Views } from '../workspaces/views.ts';
import { planChange } from './plan-change.ts';

export interface ConfigWingParts {
  db: Database;
  now: () => Date;
  views: Pick<Views, 'open'>;
  /** The user's own config; null if an explicit config replaces everything. */
  ownLayer: Layer | null;
}

interface Planned {
  edit: ConfigEdit;
  layer: Layer;
  before: ConfigText;
}

/** Changes to config files: shown before they are written, and written only as they were shown. */
export function createConfigWing({ db, now, views, ownLayer }: ConfigWingParts): Wing<'config'> {
  async function layerOf(target: ConfigTarget, workspace: string): Promise<Layer> {
    if (target === 'workspace') return (await views.open(workspace)).layer;
    if (ownLayer) return ownLayer;
    throw new ZooError(
      'invalid_arguments',
      'The hub was started with --config, so your own config is not used. Add it to the workspace instead.',
    );
  }

  async function plan(change: ConfigChange, target: ConfigTarget, workspace: string): Promise<Planned> {
    const layer = await layerOf(target, workspace);
    await layer.reload();
    const { config, trust } = layer.current();
    const file = config.file ?? join(layer.folder, CONFIG_NAMES[0]);
    const before = await editing(file, () => loadConfig(file));
    const planned = await editing(file, async () => planChange(before.text, change, file));
    const edit = {
      ...planned,
      file,
      exists: before.exists,
      before: before.text,
      hash: hashOf(before),
      trust: trust.state,
    };
    return { edit, layer, before };
  }

  return {
    operations: {
      async previewConfig({ body: { change, target } }, { workspace }) {
        return (await plan(change, target, workspace)).edit;
      },

      async applyConfig({ body: { change, target, hash } }, { workspace }) {
        const { edit, layer, before } = await plan(change, target, workspace);
        const { file, after } = edit;
        if (hash !== undefined && hash !== edit.hash) {
          throw new ZooError('conflict', `${file} has changed since it was shown. Look at it again.`);
        }
        if (after === before.text) return edit;
        await editing(file, () => saveConfig(file, before, after, 0o644));
        await layer.reload();
        if (change.kind === 'switch-server' && edit.trust === 'trusted')
          await keepApproval(layer, change.name);
        return { ...edit, trust: layer.current().trust.state };
      },
    },
  };

  /** An approval covers a disabled server, too: switching it changes nothing that the user has not approved. */
  async function keepApproval(layer: Layer, name: string): Promise<void> {
    const { trust, approved } = layer.current();
    const isOnlyThis = (trust.changes ?? []).every(({ path }) => path === `upstream ${name}`);
    if (trust.state !== 'changed' || !isOnlyThis) return;
    await approveTrust(db, trust, trust.hash, now(), approved);
    await layer.reload();
  }
}

const hashOf = ({ text, exists }: ConfigText): string =>
  createHash('sha256').update(`${exists}\0${text}`).digest('hex');

async function editing<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BrokenConfig)) throw error;
    throw new ZooError(
      'invalid_arguments',
      `${whereIn(file, error)}: ${error.message}. Nothing was changed.`,
    );
  }
}
