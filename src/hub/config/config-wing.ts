import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../contract/config.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ConfigChange, ConfigEdit, ConfigTarget } from '../../contract/operations/config.ts';
import { CONFIG_NAMES } from '../../platform/config/config.ts';
import {
  type ConfigText,
  loadConfig,
  refuseBroken,
  requireInside,
  saveConfig,
} from '../../platform/config-edits/config-file.ts';
import type { Database } from '../../platform/store/database.ts';
import { approveTrust } from '../../platform/trust/trust.ts';
import type { Layer, LayerSnapshot } from '../../registry/layers/layer.ts';
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

type SwitchServer = Extract<ConfigChange, { kind: 'switch-server' }>;

interface Planned {
  edit: ConfigEdit;
  layer: Layer;
  /** The layer before the change. */
  was: LayerSnapshot;
  before: ConfigText;
  /** Where the file must be. */
  within: string | null;
}

/** Changes to config files: shown before they are written, and written only as they were shown. */
export function createConfigWing({ db, now, views, ownLayer }: ConfigWingParts): Wing<'config'> {
  let lastApplied: Promise<unknown> = Promise.resolve();

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
    const was = layer.current();
    const { config, trust } = was;
    const file = config.file ?? join(layer.folder, CONFIG_NAMES[0]);
    // The user's own config is often a link to a folder with dotfiles.
    const within = trust.state === 'own' ? null : layer.folder;
    if (within !== null) await requireInside(file, within);
    const before = await refuseBroken(file, () => loadConfig(file));
    const planned = await refuseBroken(file, () => planChange(before.text, change, file));
    const edit = {
      ...planned,
      file,
      exists: before.exists,
      before: before.text,
      hash: hashOf(before),
      trust: trust.state,
    };
    return { edit, layer, was, before, within };
  }

  async function apply(
    change: ConfigChange,
    { edit, layer, was, before, within }: Planned,
  ): Promise<ConfigEdit> {
    const { file, after } = edit;
    if (after === before.text) return edit;
    await layer.edit(
      () => refuseBroken(file, () => saveConfig(file, before, after, { mode: 0o644, within })),
      async (fresh) =>
        change.kind === 'switch-server' && edit.trust === 'trusted' && keepApproval(fresh, was, change),
    );
    return { ...edit, trust: layer.current().trust.state };
  }

  /**
   * An approval covers a disabled server, too: switching it changes nothing that the user has not approved. Approved
   * before the change is served: an unapproved workspace would stop all of its servers.
   */
  async function keepApproval(
    { trust, approved, config }: LayerSnapshot,
    was: LayerSnapshot,
    change: SwitchServer,
  ): Promise<boolean> {
    const isOnlyThis =
      isDeepStrictEqual(config.config, switched(was.config.config, change)) &&
      isDeepStrictEqual(approved, was.approved) &&
      (trust.changes ?? []).every(({ path }) => path === `upstream ${change.name}`);
    if (trust.state !== 'changed' || !isOnlyThis) return false;
    await approveTrust(db, trust, trust.hash, now(), approved);
    return true;
  }

  return {
    operations: {
      async previewConfig({ body: { change, target } }, { workspace }) {
        return (await plan(change, target, workspace)).edit;
      },

      applyConfig({ body: { change, target, hash } }, { workspace }) {
        // One after another: each is planned on the result of the previous one.
        const applied = lastApplied.then(async () => {
          const planned = await plan(change, target, workspace);
          const { file, hash: current } = planned.edit;
          if (hash !== undefined && hash !== current) {
            throw new ZooError('conflict', `${file} has changed since it was shown. Review it again.`);
          }
          return apply(change, planned);
        });
        lastApplied = applied.catch(() => undefined);
        return applied;
      },
    },
  };
}

/** The config after a server was enabled or disabled. */
function switched(config: Config, { name, disabled }: SwitchServer): Config {
  const { disabled: _, ...server } = config.tools?.mcp?.[name] ?? {};
  const mcp = { ...config.tools?.mcp, [name]: disabled ? { ...server, disabled } : server };
  return { ...config, tools: { ...config.tools, mcp } };
}

const hashOf = ({ text, exists }: ConfigText): string =>
  createHash('sha256').update(`${exists}\0${text}`).digest('hex');
