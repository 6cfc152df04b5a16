import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import { TrustState, type Workspace } from '../../contract/workspace.ts';
import { findConfig } from '../config/config.ts';
import type { Database } from '../store/database.ts';
import { slug } from '../text/slug.ts';

export interface LocatedWorkspace {
  id: string;
  /** The real path of the config's folder, or of the folder itself without a config. */
  path: string;
  configFile: string | null;
}

/** A row is not written again while it is younger than this: most calls only read. */
const FRESH_MS = 3_600_000;

/** Stable for a path, and safe in URLs. Pass a real path. */
export function workspaceId(path: string): string {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 8);
  return `${slug(basename(path), 'root').slice(0, 40)}-${hash}`;
}

/** The workspace of a caller in `folder`. An explicit config overrides discovery. */
export async function locateWorkspace(
  folder: string,
  { explicitConfig = null }: { explicitConfig?: string | null } = {},
): Promise<LocatedWorkspace> {
  if (explicitConfig !== null) {
    const file = resolve(folder, explicitConfig);
    if (!(await stat(file).catch(() => null))?.isFile()) {
      throw new ZooError(
        'invalid_arguments',
        `The config ${file} does not exist. Create it, or omit --config and ZOO_CONFIG.`,
      );
    }
    // The folder is resolved, the file is not: a config may be a link into the user's dotfiles.
    const path = await realpath(dirname(file));
    return place(path, join(path, basename(file)));
  }
  const path = await realFolder(folder);
  const configFile = await findConfig(path);
  return place(configFile === null ? path : dirname(configFile), configFile);
}

/** Stores what a list shows, so that listing does not open workspaces. */
export async function rememberWorkspace(
  database: Database,
  { id, path, config, trust }: Workspace,
  now: Date,
): Promise<void> {
  const known = await database.one('SELECT * FROM workspaces WHERE id = ?', [id]);
  const isFresh = known && now.getTime() - Date.parse(String(known.seen_at)) < FRESH_MS;
  if (isFresh && known.config === config && known.trust === trust) return;
  await database.transaction((tx) =>
    tx.run(
      `INSERT INTO workspaces (id, path, seen_at, config, trust) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET path = excluded.path, seen_at = excluded.seen_at,
         config = excluded.config, trust = excluded.trust`,
      [id, path, now.toISOString(), config, trust],
    ),
  );
}

/** The path of a known workspace; null for an unknown id. */
export async function lookupWorkspace(database: Database, id: string): Promise<string | null> {
  const row = await database.one('SELECT path FROM workspaces WHERE id = ?', [id]);
  return row ? String(row.path) : null;
}

/** All known workspaces, most recent first, as of when they were last open. */
export async function listWorkspaces(database: Database): Promise<Workspace[]> {
  const rows = await database.all('SELECT * FROM workspaces ORDER BY seen_at DESC, id');
  return rows.map((row) => ({
    id: String(row.id),
    path: String(row.path),
    config: row.config === null || row.config === undefined ? null : String(row.config),
    trust: TrustState.catch('untrusted').parse(row.trust),
  }));
}

/** Only a folder that certainly does not exist counts as gone; an unreadable one does not. */
export async function isFolderGone(path: string): Promise<boolean> {
  const failure = await stat(path).then(
    (found) => (found.isDirectory() ? null : 'ENOTDIR'),
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : null),
  );
  return failure === 'ENOENT' || failure === 'ENOTDIR';
}

async function realFolder(folder: string): Promise<string> {
  const path = await realpath(resolve(folder)).catch(() => null);
  const isFolder = path !== null && (await stat(path)).isDirectory();
  if (path === null || !isFolder) {
    const what = path === null ? 'does not exist' : 'is not a folder';
    throw new ZooError(
      'workspace_not_found',
      `The folder ${resolve(folder)} ${what}. Name an existing folder.`,
    );
  }
  return path;
}

const place = (path: string, configFile: string | null): LocatedWorkspace => ({
  id: workspaceId(path),
  path,
  configFile,
});
