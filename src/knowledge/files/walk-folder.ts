import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { isInside } from '../../platform/files/real-path.ts';
import { codeOf } from '../../platform/files/text-file.ts';
import type { ScanContext } from '../connector.ts';
import { isBinaryName, namedKind } from '../extraction/content-kind.ts';
import { sizeProblem } from '../extraction/size-limits.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import type { PathFilter } from './path-filter.ts';
import { reasonOf } from '../source-error.ts';

export interface FoundFile {
  /** Relative to the root, with `/` between folders. */
  path: string;
  /** Absolute. */
  file: string;
  info: BigIntStats;
}

interface WalkOptions {
  filter: PathFilter;
  rules: IgnoreRules;
  /** The real path of the root; nothing outside it is listed. Null if links are followed. */
  within: string | null;
  context: Pick<ScanContext, 'signal' | 'skip' | 'unseen'>;
  /** Throws if the root is gone or was replaced. */
  checkRoot(): void;
}

interface Folder {
  path: string;
  folder: string;
  rules: IgnoreRules;
}

const BREATHE_MS = 20;

/**
 * The files of a folder and its subfolders that are not filtered out. Synchronous calls are much faster than promises
 * here; this runs in a worker thread, which pauses now and then to receive messages.
 *
 * Links are followed last, if at all, and only to files that were not found before: so there are no cycles, and each
 * file has one path.
 */
export async function* walkFolder(root: string, options: WalkOptions): AsyncGenerator<FoundFile[]> {
  const links: Folder[] = [];
  const walked = new Set<string>();
  const pending: Folder[] = [{ path: '', folder: root, rules: options.rules }];
  let breathedAt = performance.now();
  for (;;) {
    let next = pending.pop();
    while (!next) {
      const link = links.shift();
      if (!link) return;
      const target = followLink(link, walked, options);
      if (target?.info) yield [{ path: link.path, file: link.folder, info: target.info }];
      else if (target) next = link;
    }
    if (options.within === null) walked.add(realOf(next.folder));
    if (performance.now() - breathedAt > BREATHE_MS) {
      await breathe();
      options.context.signal.throwIfAborted();
      breathedAt = performance.now();
    }
    yield filesOf(next, pending, links, options);
  }
}

function filesOf(
  { path, folder, rules: above }: Folder,
  pending: Folder[],
  links: Folder[],
  options: WalkOptions,
): FoundFile[] {
  const { filter, within, context } = options;
  const names = namesIn(folder, path, options);
  const rules = above.below(folder, names);
  const folders: Folder[] = [];
  const files: FoundFile[] = [];
  for (const name of names) {
    const way = path === '' ? name : `${path}/${name}`;
    const file = folder + sep + name;
    const info = statOf(way, file, options);
    if (!info) continue;
    if (info.isDirectory()) {
      if (!filter.leavesOut(way) && !rules.ignores(file, true))
        folders.push({ path: way, folder: file, rules });
    } else if (info.isSymbolicLink()) {
      if (filter.leavesOut(way) || rules.ignores(file, false)) continue;
      if (within === null) links.push({ path: way, folder: file, rules });
      else if (filter.takes(way)) context.skip(way, 'is a link, and follow_symlinks is false');
    } else if (filter.takes(way) && !rules.ignores(file, false)) {
      const problem = skipReason(way, info);
      if (problem === null) files.push({ path: way, file, info });
      else context.skip(way, problem);
    }
  }
  pending.push(...folders.toReversed());
  return files;
}

/** Names without types: entries need a stat anyway. */
function namesIn(folder: string, path: string, { within, context, checkRoot }: WalkOptions): string[] {
  try {
    const names = readdirSync(folder).toSorted();
    if (within === null || isInside(within, realpathSync.native(folder))) return names;
    context.unseen(`${path}/`, 'was replaced by a link during the sync');
    return [];
  } catch (error) {
    checkRoot();
    if (path === '') throw error;
    if (codeOf(error) !== 'ENOENT') context.unseen(`${path}/`, reasonOf(error));
    return [];
  }
}

function statOf(path: string, file: string, { context, checkRoot }: WalkOptions): BigIntStats | null {
  try {
    return lstatSync(file, { bigint: true });
  } catch (error) {
    checkRoot();
    if (path.includes('\uFFFD')) context.skip(path, 'has a name that is not UTF-8');
    else if (codeOf(error) !== 'ENOENT') context.unseen(path, reasonOf(error));
    return null;
  }
}

function skipReason(path: string, info: BigIntStats): string | null {
  if (!info.isFile()) return 'is not a regular file';
  if (isBinaryName(path)) return 'is not text';
  return sizeProblem(namedKind(path), Number(info.size));
}

/** `info` is null for a folder to walk; the result is null for a link that is not followed. */
function followLink(
  { path, folder: link }: Folder,
  walked: Set<string>,
  { filter, context }: WalkOptions,
): { info: BigIntStats | null } | null {
  try {
    const target = realpathSync(link);
    const info = statSync(link, { bigint: true });
    if (walked.has(target)) return null;
    if (info.isDirectory()) {
      // A link to a parent of a folder that was walked makes a cycle.
      for (const folder of walked) {
        if (folder.startsWith(target + sep)) {
          context.skip(path, 'is a link to one of its own parent folders');
          return null;
        }
      }
      return { info: null };
    }
    if (!filter.takes(path) || walked.has(dirname(target))) return null;
    const problem = skipReason(target, info);
    if (problem === null) return { info };
    context.skip(path, problem);
    return null;
  } catch (error) {
    if (filter.takes(path))
      context.unseen(path, codeOf(error) === 'ENOENT' ? 'is a broken link' : reasonOf(error));
    return null;
  }
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
