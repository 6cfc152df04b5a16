import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import { isInside, realPath } from '../../platform/files/real-path.ts';
import type { OutsidePath } from '../../platform/trust/runnables.ts';
import { codeOf } from '../../platform/files/text-file.ts';
import { messageOf } from '../../platform/text/error-message.ts';

export interface MarkdownFiles {
  /** By their path in the workspace, sorted; each real file once. */
  files: string[];
  /** Places outside of the workspace; read only with `followOutside`. */
  outside: OutsidePath[];
  /** The real paths of followed links. */
  targets: { files: string[]; folders: string[] };
  diagnostics: Diagnostic[];
}

export interface MarkdownPlaces {
  /** The workspace, or the user's own config directory. */
  root: string;
  folders: readonly string[];
  /** Whether they are named in the config; then a missing one is reported. */
  named: boolean;
  followOutside: boolean;
}

const skipped = new Set(['node_modules', '.git']);
/** Limits the walk: a config may name `/`. */
const MOST_ENTRIES = 5_000;

/**
 * Every `*.md` in the folders and below, within the first 5,000 entries. Links are followed, each real folder once: a
 * cycles are harmless. Never throws.
 */
export async function findMarkdownFiles({
  root,
  folders,
  named,
  followOutside,
}: MarkdownPlaces): Promise<MarkdownFiles> {
  const realRoot = await realPath(root);
  const found: MarkdownFiles = {
    files: [],
    outside: [],
    targets: { files: [], folders: [] },
    diagnostics: [],
  };
  const visited = new Set<string>();
  let left = MOST_ENTRIES;

  /** Whether a path may be read; reports a path outside of the workspace. */
  const admits = (path: string, real: string): boolean => {
    if (isInside(realRoot, real)) return true;
    found.outside.push({ path: relative(root, path), target: real });
    if (followOutside) return true;
    found.diagnostics.push(outsideDiagnostic(root, path, real));
    return false;
  };
  const unreadable = (path: string, error: unknown) =>
    void found.diagnostics.push(unreadableDiagnostic(root, path, error));

  const visit = async (folder: string): Promise<void> => {
    const real = await realPath(folder);
    if (visited.has(real)) return;
    visited.add(real);
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if ((left -= 1) < 0) return;
      const path = join(folder, entry.name);
      try {
        if (entry.isSymbolicLink()) await visitLink(path);
        else if (entry.isDirectory()) await visitFolder(path, entry.name);
        else if (entry.isFile()) await visitFile(path, join(real, entry.name));
      } catch (error) {
        unreadable(path, error);
      }
    }
  };
  const visitFolder = async (path: string, name: string) => {
    if (!skipped.has(name)) await visit(path);
  };
  const visitFile = async (path: string, real: string) => {
    if (!/\.md$/i.test(path) || visited.has(real)) return;
    visited.add(real);
    found.files.push(path);
  };
  const visitLink = async (path: string) => {
    const real = await realpath(path);
    const info = await stat(real);
    if (!info.isDirectory() && !/\.md$/i.test(path)) return;
    if (!admits(path, real)) return;
    found.targets[info.isDirectory() ? 'folders' : 'files'].push(real);
    if (info.isDirectory()) await visit(path);
    else if (info.isFile()) await visitFile(path, real);
  };

  for (const name of folders) {
    const folder = resolve(root, name);
    try {
      const real = await realPath(folder);
      if (!admits(folder, real)) continue;
      found.targets.folders.push(real);
      await visit(folder);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') unreadable(folder, error);
      else if (named) found.diagnostics.push(missingDiagnostic(name, folder));
    }
  }
  if (left < 0) found.diagnostics.push(tooManyDiagnostic(root));
  found.files.sort();
  return found;
}

function tooManyDiagnostic(root: string): Diagnostic {
  const message = `the agent folders have more than ${MOST_ENTRIES.toLocaleString('en')} entries; the rest is ignored`;
  return diagnose('warning', 'unreadable', message, {
    file: root,
    hint: 'Name folders that hold only agents in [markdown] folders.',
  });
}

function outsideDiagnostic(root: string, path: string, real: string): Diagnostic {
  const message = `${relative(root, path)} is outside of the workspace (${real}) and is not read`;
  const hint = 'Review and approve the workspace with `zoo trust`.';
  return diagnose('warning', 'untrusted', message, { file: path, hint });
}

function unreadableDiagnostic(root: string, path: string, error: unknown): Diagnostic {
  const message = `${relative(root, path)} could not be read (${codeOf(error) ?? messageOf(error)})`;
  const hint = 'It is ignored. Remove it, or make it readable.';
  return diagnose('warning', 'unreadable', message, { file: path, hint });
}

function missingDiagnostic(name: string, folder: string): Diagnostic {
  const hint = 'Its agents are served as soon as it exists.';
  return diagnose('note', 'unreadable', `the folder ${name} of [markdown] does not exist`, {
    file: folder,
    hint,
  });
}
