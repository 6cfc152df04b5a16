import { createHash } from 'node:crypto';
import * as z from 'zod';
import { tokenKey } from '../../contract/call.ts';
import type { SecretFiles } from '../../platform/home/secret-files.ts';
import type { Database, Row } from '../../platform/store/database.ts';

/** An address to which the progress of an A2A task is reported. */
export interface PushConfig extends Credentials {
  taskId: string;
  id: string;
  workspace: string;
  url: string;
}

const Credentials = z.strictObject({
  /** Sent with each notification, so that the receiver can verify the sender. */
  token: z.string(),
  /** Of the `Authorization` header; empty for none. */
  scheme: z.string(),
  credentials: z.string(),
});
type Credentials = z.infer<typeof Credentials>;

type ConfigKey = Pick<PushConfig, 'taskId' | 'id'>;

/** Push configs on disk: they outlive the hub, as their tasks do. Callers check who may see a task. */
export interface PushConfigs {
  put(config: PushConfig): Promise<void>;
  list(taskId: string): Promise<PushConfig[]>;
  remove(taskId: string, id: string): Promise<boolean>;
  /** Configs of tasks whose end has not been reported yet, for one task or all; none of revoked tokens. */
  unfinished(taskId?: string): Promise<PushConfig[]>;
  /** Removes configs of tasks that no longer exist. */
  prune(): Promise<void>;
  /** Does nothing if the address of the config has changed. */
  finish(config: Pick<PushConfig, 'taskId' | 'id' | 'url'>): Promise<void>;
}

/** Runs of tokens that were revoked: whoever had the token gets no more results. */
const OF_REVOKED = `SELECT 1 FROM runs WHERE runs.id = task_id AND caller_key LIKE '${tokenKey({ kind: 'agent', tokenId: '%' })}'
  AND caller_key NOT IN (SELECT '${tokenKey({ kind: 'agent', tokenId: '' })}' || id FROM access_tokens)`;

/** Addresses are rows of the store; tokens and credentials are secret files. */
export function createPushConfigs(db: Database, secrets: SecretFiles): PushConfigs {
  const read = async (row: Row): Promise<PushConfig[]> => {
    const key = { taskId: String(row.task_id), id: String(row.id) };
    const text = await secrets.read(fileOf(key));
    // Without its secrets, as in a restored backup, it could only be refused.
    if (text === null) return [];
    const credentials = Credentials.parse(JSON.parse(text));
    return [{ ...key, workspace: String(row.workspace), url: String(row.url), ...credentials }];
  };
  const readAll = async (rows: readonly Row[]): Promise<PushConfig[]> =>
    (await Promise.all(rows.map(read))).flat();

  return {
    async put({ taskId, id, workspace, url, token, scheme, credentials }) {
      // The row first: `prune` removes files without one.
      await db.transaction((tx) =>
        tx.run(
          `INSERT INTO push_configs (task_id, id, workspace, url) VALUES (?, ?, ?, ?)
           ON CONFLICT (task_id, id) DO UPDATE SET url = excluded.url, finished = 0`,
          [taskId, id, workspace, url],
        ),
      );
      await secrets.write(fileOf({ taskId, id }), JSON.stringify({ token, scheme, credentials }));
    },
    list: async (taskId) =>
      readAll(await db.all('SELECT * FROM push_configs WHERE task_id = ? ORDER BY id', [taskId])),
    async remove(taskId, id) {
      const { changes } = await db.transaction((tx) =>
        tx.run('DELETE FROM push_configs WHERE task_id = ? AND id = ?', [taskId, id]),
      );
      await secrets.remove(fileOf({ taskId, id }));
      return changes > 0;
    },
    async unfinished(taskId) {
      const all = `SELECT * FROM push_configs WHERE finished = 0 AND NOT EXISTS (${OF_REVOKED})`;
      return readAll(await (taskId === undefined ? db.all(all) : db.all(`${all} AND task_id = ?`, [taskId])));
    },
    async prune() {
      const files = await secrets.list();
      await db.transaction((tx) =>
        tx.run('DELETE FROM push_configs WHERE task_id NOT IN (SELECT id FROM runs)'),
      );
      const rows = await db.all('SELECT task_id, id FROM push_configs');
      const known = new Set(rows.map((row) => fileOf({ taskId: String(row.task_id), id: String(row.id) })));
      for (const name of files) if (!known.has(name)) await secrets.remove(name);
    },
    async finish({ taskId, id, url }) {
      await db.transaction((tx) =>
        tx.run('UPDATE push_configs SET finished = 1 WHERE task_id = ? AND id = ? AND url = ?', [
          taskId,
          id,
          url,
        ]),
      );
    },
  };
}

/** Ids come from callers. */
const fileOf = ({ taskId, id }: ConfigKey): string =>
  `${createHash('sha256')
    .update(JSON.stringify([taskId, id]))
    .digest('hex')}.json`;
