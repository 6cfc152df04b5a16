import { existsSync, realpathSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { expandPath } from '../../platform/config/expand-path.ts';
import { textIn } from '../connector-config.ts';
import type { ConfiguredSource, Connector, ScanContext, ScannedItem } from '../connector.ts';
import { SIZE_LIMITS } from '../extraction/size-limits.ts';
import { rulesAbove } from '../files/ignore-rules.ts';
import { createPathFilter } from '../files/path-filter.ts';
import { readFileWhole, stateOf } from '../files/read-file.ts';
import { type FoundFile, walkFolder } from '../files/walk-folder.ts';
import { reasonOf, SourceError } from '../source-error.ts';

/** Within this time a file can change without a new timestamp: some file systems store whole seconds. */
const RACY_MS = 2_000;

const rootOf = ({ folder, config }: ConfiguredSource) => expandPath(folder, textIn(config, 'root') ?? '.');

/** The files of a folder. */
export const filesystem: Connector = {
  type: 'filesystem',
  location: rootOf,

  async *scan(source, context) {
    const root = rootOf(source);
    const identity = identityOf(root);
    // Links inside the folder are followed only if the config says so.
    const within = source.config.follow_symlinks === true ? null : realpathSync.native(root);
    const startedAt = Date.now();
    let found = 0;
    const walk = walkFolder(root, {
      filter: createPathFilter(source.config),
      rules: rulesAbove(root, existsSync),
      within,
      context,
      // A missing subfolder was deleted, unless the root is missing too, as with an unplugged disk.
      checkRoot: () => requireSame(root, identity),
    });
    for await (const files of walk) {
      found += files.length;
      yield files.map((file) => itemOf(file, within, startedAt));
    }
    requireSame(root, identity);
    refuseEmptyMount(root, identity, found, context);
    return { checkpoint: { identity, found } };
  },

  watch(source) {
    const root = rootOf(source);
    const filter = createPathFilter(source.config);
    return {
      folder: root,
      follow: source.config.follow_symlinks === true,
      ignores(path) {
        const inside = relative(root, path).split(sep).join('/');
        return inside !== '' && !inside.startsWith('..') && filter.leavesOut(inside);
      },
    };
  },
};

function itemOf({ path, file, info }: FoundFile, within: string | null, startedAt: number): ScannedItem {
  const racy = Math.max(Number(info.ctimeMs), Number(info.mtimeMs)) > startedAt - RACY_MS;
  return {
    path,
    // A unique fingerprint, so that the next sync reads the file again.
    fingerprint: racy ? `${stateOf(info)}-${startedAt}` : stateOf(info),
    bytes: Number(info.size),
    updatedAt: Number(info.mtimeMs),
    read: (signal) => readFileWhole(file, { within, limit: SIZE_LIMITS.text }, signal),
  };
}

function identityOf(root: string): string {
  try {
    const info = statSync(root, { bigint: true });
    if (!info.isDirectory()) throw new SourceError(`${root} is not a folder`);
    return `${info.dev}-${info.ino}`;
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(
      `${root} ${reasonOf(error)}; its documents are kept. Check \`root\`, and that its disk is mounted`,
    );
  }
}

function requireSame(root: string, identity: string): void {
  if (identityOf(root) !== identity) {
    throw new SourceError(`${root} was replaced by another folder during the sync; nothing was deleted`);
  }
}

/** Detects an unmounted disk, whose mount point is an empty folder. */
function refuseEmptyMount(root: string, identity: string, found: number, { checkpoint }: ScanContext): void {
  if (found > 0 || typeof checkpoint !== 'object' || checkpoint === null) return;
  const before = { ...checkpoint };
  if ('identity' in before && 'found' in before && before.identity !== identity && Number(before.found) > 0) {
    throw new SourceError(
      `${root} is now another, empty folder; nothing was deleted. If that is intended, sync with --full`,
    );
  }
}
