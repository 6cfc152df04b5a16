import type { Database, Row } from '../../platform/store/database.ts';

/** An address to which the progress of an A2A task is reported. */
export interface PushConfig {
  taskId: string;
  id: string;
  workspace: string;
  url: string;
  /** Sent along, for the receiver to recognise the sender. */
  token: string;
  /** Of the `Authorization` header; empty for none. */
  scheme: string;
  credentials: string;
}

/** Push configs on disk: they outlive the hub, as their tasks do. Callers check who may see a task. */
export interface PushConfigs {
  put(config: PushConfig): Promise<void>;
  list(taskId: string): Promise<PushConfig[]>;
  remove(taskId: string, id: string): Promise<boolean>;
  /** Those whose task has not been reported as ended: of one task, or of all. */
  unfinished(taskId?: string): Promise<PushConfig[]>;
  /** Removes configs of tasks that no longer exist. */
  prune(): Promise<void>;
  finish(taskId: string, id: string): Promise<void>;
}

export function createPushConfigs(db: Database): PushConfigs {
  return {
    async put({ taskId, id, workspace, url, token, scheme, credentials }) {
      await db.transaction((tx) =>
        tx.run(
          `INSERT INTO push_configs (task_id, id, workspace, url, token, scheme, credentials) VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (task_id, id) DO UPDATE SET url = excluded.url, token = excluded.token,
             scheme = excluded.scheme, credentials = excluded.credentials, finished = 0`,
          [taskId, id, workspace, url, token, scheme, credentials],
        ),
      );
    },
    async list(taskId) {
      return (await db.all('SELECT * FROM push_configs WHERE task_id = ? ORDER BY id', [taskId])).map(
        toConfig,
      );
    },
    async remove(taskId, id) {
      const { changes } = await db.transaction((tx) =>
        tx.run('DELETE FROM push_configs WHERE task_id = ? AND id = ?', [taskId, id]),
      );
      return changes > 0;
    },
    async unfinished(taskId) {
      const all = 'SELECT * FROM push_configs WHERE finished = 0';
      const rows = taskId === undefined ? db.all(all) : db.all(`${all} AND task_id = ?`, [taskId]);
      return (await rows).map(toConfig);
    },
    async prune() {
      await db.transaction((tx) =>
        tx.run('DELETE FROM push_configs WHERE task_id NOT IN (SELECT id FROM runs)'),
      );
    },
    async finish(taskId, id) {
      await db.transaction((tx) =>
        tx.run('UPDATE push_configs SET finished = 1 WHERE task_id = ? AND id = ?', [taskId, id]),
      );
    },
  };
}

const toConfig = (row: Row): PushConfig => ({
  taskId: String(row.task_id),
  id: String(row.id),
  workspace: String(row.workspace),
  url: String(row.url),
  token: String(row.token),
  scheme: String(row.scheme),
  credentials: String(row.credentials),
});
