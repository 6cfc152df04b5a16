import { readFile, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import * as z from 'zod';
import type { FieldChange } from '../../contract/revision.ts';
import type { Runnable } from '../../contract/workspace.ts';
import { MISSING } from './content-hash.ts';

/** A snapshot of what was approved, to show later changes. */
export const Snapshot = z.strictObject({
  /** The lines that were shown, by kind and name. */
  entries: z.record(z.string(), z.string()),
  /** The text of each approved file, by its path from the workspace. */
  files: z.record(z.string(), z.string()),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** Larger files are compared only by hash. */
const LONGEST_TEXT = 64 * 1024;
const MOST_FILES = 200;

/** `files` are the hashes of the approved files by path. A `.env` is not among them: it holds secrets. */
export async function takeSnapshot(
  folder: string,
  runnables: readonly Runnable[],
  files: Readonly<Record<string, string>>,
): Promise<Snapshot> {
  const listed = Object.entries(files).slice(0, MOST_FILES);
  const texts = listed.map(
    async ([file, hash]) => [relative(folder, file), (await readText(file)) ?? `sha256 ${hash}`] as const,
  );
  return {
    entries: Object.fromEntries(
      runnables.map(({ kind, name, detail, grants }) => [`${kind} ${name}`, [detail, ...grants].join('\n')]),
    ),
    files: Object.fromEntries(await Promise.all(texts)),
  };
}

async function readText(file: string): Promise<string | null> {
  try {
    const facts = await stat(file);
    if (!facts.isFile() || facts.size > LONGEST_TEXT) return null;
    const text = await readFile(file, 'utf8');
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** The differences: config entries first, then files. Null if missing. */
export function changesSince(before: Snapshot, now: Snapshot): FieldChange[] {
  return (['entries', 'files'] as const).flatMap((part) =>
    [...new Set([...Object.keys(before[part]), ...Object.keys(now[part])])]
      .toSorted()
      .map((key) => ({ path: key, before: presentIn(before[part], key), after: presentIn(now[part], key) }))
      .filter((change) => change.before !== change.after),
  );
}

/** Files that a command would read if they existed are approved as missing. */
function presentIn(part: Readonly<Record<string, string>>, key: string): string | null {
  const value = part[key];
  return value === undefined || value === `sha256 ${MISSING}` ? null : value;
}
