import { open, readdir } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { ContextPassage, FoundDocument } from '../../registry/gather-context.ts';
import { isInside, realPath } from '../../platform/files/real-path.ts';

const MOST_BYTES = 512_000;
/** A glob looks at so many entries and no more: a workspace may be a whole disk. */
const MOST_ENTRIES = 20_000;
const IGNORED = new Set(['node_modules', '.git']);

/**
 * Text files of a workspace by their path, or by a glob, which leaves hidden files out. Nothing outside of the
 * folder is read, whatever links there are, and nothing that is large or not text.
 */
export async function findWorkspaceFiles(
  folder: string,
  reference: string,
  most: number,
): Promise<FoundDocument[]> {
  const root = await realPath(folder);
  const paths = isGlob(reference) ? await matching(root, reference) : [reference];
  const found: FoundDocument[] = [];
  for (const path of paths) {
    if (found.length >= most) break;
    const document = await loadText(root, path);
    if (document) found.push(document);
  }
  return found;
}

export const isGlob = (reference: string): boolean => /[*?[\]{}]/.test(reference);

async function loadText(root: string, path: string): Promise<FoundDocument | null> {
  const real = await realPath(join(root, path));
  if (!isInside(root, real)) return null;
  const file = await open(real, 'r').catch(() => null);
  if (!file) return null;
  try {
    const info = await file.stat();
    if (!info.isFile() || info.size > MOST_BYTES) return null;
    const text = decode(await file.readFile());
    if (text === null) return null;
    const name = relative(root, real).split(sep).join('/');
    return {
      id: `file:${name}`,
      title: titleOf(text) ?? basename(name),
      source: 'workspace',
      path: name,
      updatedAt: info.mtime.toISOString(),
      passages: paragraphs(text),
    };
  } catch {
    return null;
  } finally {
    await file.close();
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

const titleOf = (text: string): string | undefined => /^# +(.+)$/m.exec(text)?.[1]?.trim();

/** In order of path. */
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

/** Pieces that end with a paragraph. */
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
