import { type CallContext, callerKey } from '../../contract/call.ts';
import type { Database, Row, Statement, Transaction } from '../../platform/store/database.ts';
import { once } from '../../platform/store/once.ts';
import { readStored } from '../../platform/store/stored-json.ts';
import type { RunSummary } from '../../contract/run.ts';
import { toSummary } from '../runs/run-rows.ts';
import * as z from 'zod';

/** A call of a published tool. Its run is known under the same id. */
export interface StoredCall {
  runId: string;
  agentId: string;
  tool: string;
  workspace: string;
  /** Who may ask for it: see `callerKey`. */
  caller: string;
  contextId: string;
  /** The schema of its structured result. */
  output: Record<string, unknown> | null;
  cacheKey: string | null;
}

export type NewCall = Omit<StoredCall, 'workspace' | 'caller'>;

export interface CallStore {
  /** Answers the call that was stored first, where one is repeated under its idempotency key. */
  add(call: NewCall, context: CallContext): Promise<StoredCall>;
  /** A call without a key, and the statement that stores it together with its run. */
  prepare(call: NewCall, context: CallContext): { stored: StoredCall; insert: Statement };
  find(runId: string): Promise<StoredCall | null>;
  /** With their runs, newest first. */
  list(limit: number): Promise<{ tool: string; run: RunSummary }[]>;
  /** The last completed call of this key, if it ended within these seconds. */
  findCached(cacheKey: string, seconds: number): Promise<StoredCall | null>;
  /** The last call of a conversation. */
  findContext(contextId: string): Promise<StoredCall | null>;
  /** Agents of a run and of those whose tool calls started it, outermost first. */
  agentsAbove(runId: string): Promise<string[]>;
  isKnownRun(runId: string): Promise<boolean>;
}

const Stored = z.strictObject({
  runId: z.string(),
  agentId: z.string(),
  tool: z.string(),
  workspace: z.string(),
  caller: z.string(),
  contextId: z.string(),
  output: z.record(z.string(), z.unknown()).nullable(),
  cacheKey: z.string().nullable(),
}) satisfies z.ZodType<StoredCall>;

export function createCallStore(db: Database, now: () => Date): CallStore {
  const one = async (sql: string, params: string[]): Promise<StoredCall | null> => {
    const row = await db.one(sql, params);
    return row ? toCall(row) : null;
  };
  return {
    async add(call, context) {
      const at = now().toISOString();
      const stored = storedCall(call, context);
      const write = async (tx: Transaction) => {
        const { sql, params } = insert(stored, at);
        await tx.run(sql, params);
        return stored;
      };
      return db.transaction(async (tx) => Stored.parse(await once(tx, context, at, () => write(tx))));
    },
    prepare(call, context) {
      const stored = storedCall(call, context);
      return { stored, insert: insert(stored, now().toISOString()) };
    },
    find: (runId) => one('SELECT * FROM published_calls WHERE run_id = ?', [runId]),
    async list(limit) {
      const rows = await db.all(
        `SELECT r.*, c.tool FROM published_calls c JOIN runs r ON r.id = c.run_id
         ORDER BY c.created_at DESC LIMIT ?`,
        [limit],
      );
      return rows.map((row) => ({ tool: String(row.tool), run: toSummary(row) }));
    },
    findCached: (cacheKey, seconds) =>
      one(
        `SELECT c.* FROM published_calls c JOIN runs r ON r.id = c.run_id
         WHERE c.cache_key = ? AND r.state = 'completed' AND r.ended_at > ? ORDER BY r.ended_at DESC LIMIT 1`,
        [cacheKey, new Date(now().getTime() - seconds * 1_000).toISOString()],
      ),
    findContext: (contextId) =>
      one('SELECT * FROM published_calls WHERE context_id = ? ORDER BY created_at DESC LIMIT 1', [contextId]),
    async agentsAbove(runId) {
      const rows = await db.all(
        `WITH RECURSIVE above (id, agent_id, parent, depth) AS (
           SELECT id, agent_id, parent, 0 FROM runs WHERE id = ?
           UNION ALL
           SELECT runs.id, runs.agent_id, runs.parent, above.depth + 1
           FROM runs JOIN above ON runs.id = above.parent WHERE above.depth < 100
         ) SELECT agent_id FROM above ORDER BY depth DESC`,
        [runId],
      );
      return rows.map((row) => String(row.agent_id));
    },
    isKnownRun: async (runId) => Boolean(await db.one('SELECT 1 FROM runs WHERE id = ?', [runId])),
  };
}

const storedCall = (call: NewCall, { workspace, caller }: CallContext): StoredCall => ({
  ...call,
  workspace,
  caller: callerKey(caller),
});

function insert(call: StoredCall, at: string): Statement {
  const { runId, agentId, tool, workspace, caller, contextId, output, cacheKey } = call;
  const schema = output === null ? null : JSON.stringify(output);
  return {
    sql: `INSERT INTO published_calls (run_id, agent_id, tool, workspace, caller, context_id, output, cache_key, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [runId, agentId, tool, workspace, caller, contextId, schema, cacheKey, at],
  };
}

function toCall(row: Row): StoredCall {
  return {
    runId: String(row.run_id),
    agentId: String(row.agent_id),
    tool: String(row.tool),
    workspace: String(row.workspace),
    caller: String(row.caller),
    contextId: String(row.context_id),
    output: row.output === null ? null : readStored(z.record(z.string(), z.unknown()), row.output),
    cacheKey: row.cache_key === null ? null : String(row.cache_key),
  };
}
