import { dirname, relative, resolve } from 'node:path';
import type { Config } from '../../contract/config.ts';
import { ZooError } from '../../contract/errors.ts';
import type { FieldChange } from '../../contract/revision.ts';
import type { Runnable, TrustReport, TrustState } from '../../contract/workspace.ts';
import { changesSince, Snapshot, takeSnapshot } from './approved-snapshot.ts';
import { type ContentLook, hashValue, lookAtContent, MOST_NEARBY } from './content-hash.ts';
import type { Database, Reader } from '../store/database.ts';
import { recordRevocation } from '../store/revocations.ts';
import { isInside } from '../files/real-path.ts';
import {
  type FilledVariables,
  findRunnables,
  type NamedRunnable,
  type OutsidePath,
  type ToolGrant,
} from './runnables.ts';

export interface TrustSubject {
  /** The id of the workspace; null for the user's own config directory. */
  workspace: string | null;
  /** The user's own config directory needs no approval. */
  own: boolean;
  /** Its real path, the key of the approval. */
  path: string;
  /** As written: an approval covers references to variables, not their values. */
  config: Config;
  outside: readonly OutsidePath[];
  /** A `.env` that fills in variables of the config. */
  variables?: FilledVariables | null;
  /** Tools that its agents list beyond the read-only built-ins. */
  grants?: readonly ToolGrant[];
}

/** By runnable: the real paths of its approved files, and the hashes of their content. */
export type Approved = ReadonlyMap<string, Readonly<Record<string, string>>>;

export interface TrustAssessment {
  report: TrustReport;
  /** The exact content that may run. Null if no approval is needed. */
  approved: Approved | null;
  /** Files whose content is approved, and the folders in which a new script would change it. */
  watch: { files: string[]; folders: string[] };
}

/** Whether the state allows running. With nothing to trust, nothing runs anyway. */
export const isTrusted = (state: TrustState) => state === 'own' || state === 'trusted';

/** What a workspace would run, and whether it is approved. */
export async function assessTrust(
  database: Reader,
  subject: TrustSubject,
  { trustAll = false }: { trustAll?: boolean } = {},
): Promise<TrustAssessment> {
  const { workspace, path, config, outside, variables = null, grants = [] } = subject;
  const found = await findRunnables(config, path, outside, { variables, grants });
  const look = lookAtContent();
  const contents = await Promise.all(found.map((one) => contentOf(one, path, look)));
  const hash = hashValue(
    found
      .map(({ runnable, entry }, index) => ({
        kind: runnable.kind,
        name: runnable.name,
        entry,
        ...contents[index],
      }))
      .toSorted((a, b) => (`${a.kind}\0${a.name}` < `${b.kind}\0${b.name}` ? -1 : 1)),
  );

  const state = async (): Promise<TrustState> => {
    if (subject.own) return 'own';
    if (found.length === 0) return 'nothing-to-trust';
    if (trustAll) return 'trusted';
    const row = await database.one('SELECT hash FROM trust WHERE path = ?', [path]);
    if (!row) return 'untrusted';
    return row.hash === hash ? 'trusted' : 'changed';
  };
  const changes = async (files: Approved): Promise<FieldChange[]> => {
    const row = await database.one('SELECT snapshot FROM trust_snapshots WHERE path = ?', [path]);
    if (!row) return [];
    const before = Snapshot.parse(JSON.parse(String(row.snapshot)));
    return changesSince(before, await takeSnapshot(path, runnables, textFiles(files)));
  };

  const runnables = found.map(({ runnable }, index) => {
    const isBounded = Object.keys(contents[index]?.contents ?? {}).length >= MOST_NEARBY;
    const note = `only the first ${MOST_NEARBY} code files near it are checked for changes`;
    return isBounded ? { ...runnable, grants: [...runnable.grants, note] } : runnable;
  });
  const approved = async (): Promise<Approved> =>
    new Map(
      await Promise.all(
        found.map(
          async ({ runnable }, index) =>
            [keyOf(runnable), await byRealPath(contents[index]?.contents ?? {}, path, look)] as const,
        ),
      ),
    );
  const now = await state();
  const files = subject.own || trustAll ? null : await approved();
  return {
    report: {
      workspace: workspace ?? '',
      path,
      state: now,
      hash,
      runnables,
      ...(now === 'changed' && files ? { changes: await changes(files) } : {}),
    },
    approved: files,
    watch: {
      files: found.flatMap(({ files, scripts }) => [...files, ...scripts]),
      // Folders elsewhere could be huge, so only the script itself is watched.
      folders: found
        .flatMap(({ scripts, near }) => [...scripts, ...near].map((script) => dirname(script)))
        .filter((folder) => folder !== path && isInside(path, folder)),
    },
  };
}

/** The files whose text is stored with an approval. `.env` files contain secrets and are not. */
function textFiles(approved: Approved): Record<string, string> {
  const kept = [...approved].filter(([key]) => !key.startsWith('variables '));
  return Object.fromEntries(kept.flatMap(([, files]) => Object.entries(files)));
}

const keyOf = ({ kind, name }: Pick<Runnable, 'kind' | 'name'>) => `${kind} ${name}`;

/** The files that a script may load; undefined if no approval is needed. */
export function approvedFiles(
  approved: Approved | null,
  kind: Runnable['kind'],
  name: string,
): Readonly<Record<string, string>> | undefined {
  return approved ? (approved.get(keyOf({ kind, name })) ?? {}) : undefined;
}

async function byRealPath(contents: Record<string, string>, folder: string, look: ContentLook) {
  const files = Object.entries(contents).map(
    async ([file, hash]) => [await look.realPath(resolve(folder, file)), hash] as const,
  );
  return Object.fromEntries(await Promise.all(files));
}

/** The approved files of a runnable that have changed, appeared or gone since; empty if all are as approved. */
export async function changedFiles(
  approved: Approved | null,
  { config, path }: Pick<TrustSubject, 'config' | 'path'>,
  which: Pick<Runnable, 'kind' | 'name'>,
): Promise<string[]> {
  const before = approvedFiles(approved, which.kind, which.name);
  if (!before) return [];
  const found = await findRunnables(config, path, []);
  const one = found.find(({ runnable }) => keyOf(runnable) === keyOf(which));
  if (!one) return [path];
  const look = lookAtContent();
  const now = await byRealPath((await contentOf(one, path, look)).contents, path, look);
  const files = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...files].filter((file) => before[file] !== now[file]);
}

async function contentOf({ scripts, files, near, along }: NamedRunnable, folder: string, look: ContentLook) {
  const paths = new Set([
    ...files,
    ...along,
    ...(await Promise.all(near.map((path) => look.codeNear(path, folder)))).flat(),
    ...(await Promise.all(scripts.map((script) => look.scriptsBeside(script, folder)))).flat(),
  ]);
  const hashes = await Promise.all(
    [...paths].toSorted().map(async (file) => [relative(folder, file), await look.hashFile(file)] as const),
  );
  return { contents: Object.fromEntries(hashes) };
}

/**
 * Approves what was shown. Fails if the current `report` differs. The text of the `approved` files is stored, to
 * show later changes.
 */
export async function approveTrust(
  database: Database,
  report: TrustReport,
  shownHash: string,
  now: Date,
  approved: Approved | null = null,
): Promise<void> {
  if (report.hash !== shownHash) {
    throw new ZooError(
      'conflict',
      `${report.path} has changed since it was shown. Review it again, then approve it.`,
      { shown: shownHash, current: report.hash },
    );
  }
  if (report.state === 'own' || report.state === 'nothing-to-trust') return;
  const snapshot = await takeSnapshot(report.path, report.runnables, textFiles(approved ?? new Map()));
  await database.transaction(async (tx) => {
    await tx.run(
      `INSERT INTO trust (path, hash, approved_at) VALUES (?, ?, ?)
       ON CONFLICT (path) DO UPDATE SET hash = excluded.hash, approved_at = excluded.approved_at`,
      [report.path, report.hash, now.toISOString()],
    );
    await tx.run(
      `INSERT INTO trust_snapshots (path, snapshot) VALUES (?, ?)
       ON CONFLICT (path) DO UPDATE SET snapshot = excluded.snapshot`,
      [report.path, JSON.stringify(snapshot)],
    );
  });
}

/** Whether there was an approval to revoke. */
export async function revokeTrust(database: Database, { path }: TrustReport, now: Date): Promise<boolean> {
  const { changes } = await database.transaction(async (tx) => {
    const deleted = await tx.run('DELETE FROM trust WHERE path = ?', [path]);
    if (deleted.changes > 0) await recordRevocation(tx, 'trust', path, now);
    return deleted;
  });
  return changes > 0;
}
