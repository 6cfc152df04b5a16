import { existsSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { expandPath } from '../../platform/config/expand-path.ts';
import { textIn } from '../connector-config.ts';
import type { ConfiguredSource, Connector, ScanContext, ScannedItem } from '../connector.ts';
import { SIZE_LIMITS } from '../extraction/extract-document.ts';
import { rulesAbove } from '../files/ignore-rules.ts';
import { createPathFilter } from '../files/path-filter.ts';
import { readFileWhole, stateOf } from '../files/read-file.ts';
import { reasonOf, SourceError } from '../source-error.ts';
import { type FoundFile, walkFolder } from '../files/walk-folder.ts';

/** Within this a file may change again without another time: some file systems count in whole seconds. */
const RACY_MS = 2_000;

const rootOf = ({ folder, config }: ConfiguredSource) => expandPath(folder, textIn(config, 'root') ?? '.');

/** The files of a folder. */
export const filesystem: Connector = {
  type: 'filesystem',
  location: rootOf,

  async *scan(source, context) {
    const root = rootOf(source);
    const follow = source.config.follow_symlinks === true;
    const identity = identityOf(root);
    const startedAt = Date.now();
    let found = 0;
    const walk = walkFolder(root, {
      filter: createPathFilter(source.config),
      rules: rulesAbove(root, existsSync),
      follow,
      context,
      // A folder that is gone was deleted, unless all of it is: a disk that was taken out, say.
      stillThere: () => requireSame(root, identity),
    });
    for await (const files of walk) {
      found += files.length;
      yield files.map((file) => itemOf(file, follow, startedAt));
    }
    requireSame(root, identity);
    requireLikely(root, identity, found, context);
    return { checkpoint: { identity, found } };
  },

  watch(source) {
    const root = rootOf(source);
    const filter = createPathFilter(source.config);
    const follow = source.config.follow_symlinks === true;
    return {
      folder: root,
      follow,
      ignores(path) {
        const way = relative(root, path).split(sep).join('/');
        return way !== '' && !way.startsWith('..') && filter.leavesOut(way);
      },
    };
  },
};

function itemOf({ path, file, info }: FoundFile, follow: boolean, startedAt: number): ScannedItem {
  const racy = Math.max(Number(info.ctimeMs), Number(info.mtimeMs)) > startedAt - RACY_MS;
  return {
    path,
    // Not the same next time, when it is looked at again.
    fingerprint: racy ? `${stateOf(info)}-${startedAt}` : stateOf(info),
    bytes: Number(info.size),
    updatedAt: Number(info.mtimeMs),
    read: (signal) => readFileWhole(file, { follow, limit: SIZE_LIMITS.text }, signal),
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
      `${root} ${reasonOf(error)}: nothing was changed. Check \`root\`, and whether its disk is there`,
    );
  }
}

function requireSame(root: string, identity: string): void {
  if (identityOf(root) !== identity) {
    throw new SourceError(`${root} became another folder while it was looked at: nothing was deleted`);
  }
}

/** A place where a disk is mounted is an empty folder once the disk is gone. */
function requireLikely(root: string, identity: string, found: number, { checkpoint }: ScanContext): void {
  if (found > 0 || typeof checkpoint !== 'object' || checkpoint === null) return;
  const before = { ...checkpoint };
  if ('identity' in before && 'found' in before && before.identity !== identity && Number(before.found) > 0) {
    throw new SourceError(
      `${root} is another folder than before, and empty: nothing was deleted. If that is right, sync it with --full`,
    );
  }
}
