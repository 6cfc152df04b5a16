import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { rulesAbove } from '../files/ignore-rules.ts';
import { createPathFilter } from '../files/path-filter.ts';
import { openRegular, OutsideError } from '../../platform/files/open-regular.ts';
import { isInside, realPath } from '../../platform/files/real-path.ts';
import { titleOf } from '../extraction/document-title.ts';
import type { ContextPassage, FoundDocument } from '../../contract/prompt-context.ts';

const MOST_BYTES = 512_000;
/** A glob checks at most this many entries: a workspace may be a whole disk. */
const MOST_ENTRIES = 20_000;

export interface FindFilesOptions {
  most: number;
  /** Whether hidden and git-ignored files may be named; `.git` and `node_modules` never are. */
  hidden: boolean;
}

export interface FoundFiles {
  documents: FoundDocument[];
  /** The named file exists, but is hidden or git-ignored and was skipped. */
  skipped: boolean;
}

/**
 * Text files of a workspace by path, or by a glob that does not match hidden files. Only regular files inside the
 * folder are read, after all links are resolved; large files and files that are not text are skipped.
 */
export async function findWorkspaceFiles(
  folder: string,
  reference: string,
  { most, hidden }: FindFilesOptions,
): Promise<FoundFiles> {
  const root = await realPath(folder);
  const isSkipped = createSkipTest(root, hidden);
  const paths = isGlob(reference) ? await matching(root, reference) : [reference];
  const documents: FoundDocument[] = [];
  let skipped = false;
  for (const path of paths) {
    if (documents.length >= most) break;
    const real = await realPath(join(root, path));
    if (!isInside(root, real)) continue;
    const name = relative(root, real).split(sep).join('/');
    if (isSkipped(name)) skipped ||= existsSync(real);
    else documents.push(...(await loadText(root, name)));
  }
  return { documents, skipped };
}

export const isGlob = (reference: string): boolean => /[*?[\]{}]/.test(reference);

/** Skips the same files as sources do. */
function createSkipTest(root: string, hidden: boolean): (path: string) => boolean {
  const filter = createPathFilter(hidden ? { include_globs: ['**/.*/**', '**/.*', '**'] } : {});
  // The user's own list would need git, and the main thread must not wait for it.
  const above = rulesAbove(root, existsSync, () => null);
  return (path) => {
    let rules = above;
    const names = path.split('/');
    for (const [at, name] of names.entries()) {
      const isFolder = at < names.length - 1;
      const own = names.slice(0, at + 1).join('/');
      if (isFolder ? filter.leavesOut(own) : !filter.takes(own)) return true;
      const parent = join(root, dirname(own));
      rules = rules.below(parent, ['.gitignore', ...(existsSync(join(parent, '.git')) ? ['.git'] : [])]);
      if (!hidden && rules.ignores(join(parent, name), isFolder)) return true;
    }
    return false;
  };
}

async function loadText(root: string, name: string): Promise<FoundDocument[]> {
  const file = await openRegular(join(root, name), root).catch((error: unknown) => {
    if (error instanceof OutsideError) return null;
    throw error;
  });
  if (!file) return [];
  try {
    if (file.size > MOST_BYTES) return [];
    const { mtime } = await file.handle.stat();
    const text = decode(await file.handle.readFile());
    if (text === null) return [];
    return [
      {
        id: `file:${name}`,
        title: titleOf(text) ?? basename(name),
        source: 'workspace',
        path: name,
        updatedAt: mtime.toISOString(),
        passages: paragraphs(text),
      },
    ];
  } finally {
    await file.handle.close();
  }
}

function decode(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    return null;
  }
}

/** Sorted by path. */
async function matching(root: string, glob: string): Promise<string[]> {
  const { compileGlob } = await import('../../platform/files/glob.ts');
  const isMatch = compileGlob(glob);
  const found: string[] = [];
  const waiting = [''];
  let seen = 0;
  for (let at = waiting.shift(); at !== undefined && seen < MOST_ENTRIES; at = waiting.shift()) {
    const entries = await readdir(join(root, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      seen += 1;
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && !IGNORED.has(entry.name)) waiting.push(path);
      else if (entry.isFile() && isMatch(path)) found.push(path);
    }
  }
  return found.toSorted();
}

const IGNORED = new Set(['node_modules', '.git']);

/** Splits a text into passages that end at paragraph boundaries. */
function paragraphs(text: string): ContextPassage[] {
  const lines = text.split('\n');
  const passages: ContextPassage[] = [];
  let from = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const ends = lines[at]?.trim() === '' && lines[at + 1]?.trim() !== '';
    if (!ends && at < lines.length - 1) continue;
    passages.push({ text: lines.slice(from, at + 1).join('\n'), lineStart: from + 1, lineEnd: at + 1 });
    from = at + 1;
  }
  return passages;
}
