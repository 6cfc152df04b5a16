import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { codeOf } from '../../platform/files/text-file.ts';
import type { ScanContext } from '../connector.ts';
import { isBinaryName, namedKind } from '../extraction/content-kind.ts';
import { sizeProblem } from '../extraction/extract-document.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import type { PathFilter } from './path-filter.ts';
import { reasonOf } from '../source-error.ts';

export interface FoundFile {
  /** Within the root, with `/`. */
  path: string;
  /** Absolute. */
  file: string;
  info: BigIntStats;
}

interface WalkOptions {
  filter: PathFilter;
  rules: IgnoreRules;
  follow: boolean;
  context: Pick<ScanContext, 'signal' | 'skip' | 'unseen'>;
  /** Throws if the root is not what it was. */
  stillThere(): void;
}

interface Folder {
  path: string;
  folder: string;
  rules: IgnoreRules;
}

const BREATHE_MS = 20;

/**
 * Every file below a folder that counts. Reading stats one by one is by far quickest without promises; this is for a
 * thread of its own, which still hears in between that it should stop.
 *
 * Links are followed at the end, if at all, and only to what was not found before: so no circle has a beginning, and
 * a file has one path.
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
    if (options.follow) walked.add(realOf(next.folder));
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
  const { filter, follow, context } = options;
  const names = namesIn(folder, path, options);
  const rules = above.below(folder, names);
  const folders: Folder[] = [];
  const files: FoundFile[] = [];
  for (const name of names) {
    const way = path === '' ? name : `${path}/${name}`;
    const file = folder + sep + name;
    const info = look(way, file, options);
    if (!info) continue;
    if (info.isDirectory()) {
      if (!filter.leavesOut(way) && !rules.ignores(file, true))
        folders.push({ path: way, folder: file, rules });
    } else if (info.isSymbolicLink()) {
      if (filter.leavesOut(way) || rules.ignores(file, false)) continue;
      if (follow) links.push({ path: way, folder: file, rules });
      else if (filter.takes(way)) context.skip(way, 'is a link, and follow_symlinks is false');
    } else if (filter.takes(way) && !rules.ignores(file, false)) {
      const problem = leftOut(way, info);
      if (problem === null) files.push({ path: way, file, info });
      else context.skip(way, problem);
    }
  }
  pending.push(...folders.toReversed());
  return files;
}

/** Names alone: what each is has to be asked for anyway, and is not made up for those that are left out. */
function namesIn(folder: string, path: string, { context, stillThere }: WalkOptions): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    stillThere();
    if (path === '') throw error;
    if (codeOf(error) !== 'ENOENT') context.unseen(`${path}/`, reasonOf(error));
    return [];
  }
}

function look(path: string, file: string, { context, stillThere }: WalkOptions): BigIntStats | null {
  try {
    return lstatSync(file, { bigint: true });
  } catch (error) {
    stillThere();
    if (path.includes('\uFFFD')) context.skip(path, 'has a name that is not UTF-8');
    else if (codeOf(error) !== 'ENOENT') context.unseen(path, reasonOf(error));
    return null;
  }
}

function leftOut(path: string, info: BigIntStats): string | null {
  if (!info.isFile()) return 'is not a regular file';
  if (isBinaryName(path)) return 'is not text';
  return sizeProblem(namedKind(path), Number(info.size));
}

/** A folder to walk, a file with its facts, or null for what is not to be followed. */
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
      // One that contains what was walked leads in a circle, sooner or later.
      for (const folder of walked) {
        if (folder.startsWith(target + sep)) {
          context.skip(path, 'is a link to a folder that it is in');
          return null;
        }
      }
      return { info: null };
    }
    if (!filter.takes(path) || walked.has(dirname(target))) return null;
    const problem = leftOut(target, info);
    if (problem === null) return { info };
    context.skip(path, problem);
    return null;
  } catch (error) {
    if (filter.takes(path))
      context.unseen(path, codeOf(error) === 'ENOENT' ? 'is a link to nothing' : reasonOf(error));
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
