import type { EventType } from '../../contract/event.ts';
import { ResolvedAgent } from '../../contract/resolved.ts';
import {
  addUsage,
  NO_USAGE,
  type Run,
  type RunError,
  type RunState,
  type RunSummary,
  Usage,
} from '../../contract/run.ts';
import { ZooError } from '../../contract/errors.ts';
import type {
  Database,
  Reader,
  Row,
  SqlValue,
  Statement,
  Transaction,
} from '../../platform/store/database.ts';
import { type Lease, requireLease, requireLeaseStatement } from '../../platform/store/leases.ts';
import { readStored } from '../../platform/store/stored-json.ts';
import type { RunOutcome } from '../loop/run-parts.ts';
import { createRun, type NewRun, refuseSecond } from './create-run.ts';
import { eraseRuns } from './erase-runs.ts';
import type { ShortenedHistory } from './plan-resume.ts';
import { CANCEL_REQUESTED } from './run-messages.ts';
import { RunRequest } from './run-request.ts';
import {
  ACTIVE_STATES,
  IS_ACTIVE,
  readShortened,
  readSteps,
  runNotFound,
  type StoredStep,
  toRun,
  toSummary,
} from './run-rows.ts';

export interface RunFilter {
  /** See `callerKey`. */
  callerKey?: string | undefined;
  chatId?: string | undefined;
  surface?: string | undefined;
  /** Changed at this time or later. */
  since?: string | undefined;
  agentId?: string | undefined;
  state?: RunState | undefined;
  limit: number;
  offset: number;
}

/** A run as it stands in the store, with what is needed to go on with it. */
export interface StoredRun {
  summary: RunSummary;
  /** The answer so far, as it was stored last. */
  text: string;
  request: RunRequest;
  resolved: ResolvedAgent | null;
  steps: readonly StoredStep[];
  shortened: ShortenedHistory | null;
}

/** Runs on disk. Every change of a state is an event, and is made by the holder of the run's lease alone. */
export interface RunStore {
  create(request: RunRequest, run: NewRun): Promise<RunSummary>;
  started(run: Lease, resolved: ResolvedAgent, model: string): Promise<void>;
  interrupted(run: Lease, error: RunError): Promise<void>;
  /** An interrupted run is to go on. Throws `conflict` while its chat has another run under way. */
  requeued(run: Lease, chatId: string | null): Promise<void>;
  /** The run waits for a person; `continued` follows the answer. */
  waiting(run: Lease): Promise<void>;
  continued(run: Lease): Promise<void>;
  /** The tool needs no approval for the rest of the run. */
  allowTool(run: Lease, tool: string): Promise<void>;
  /** `also` is written with it, or not at all. */
  ended(run: Lease, outcome: RunOutcome, also?: readonly Statement[]): Promise<void>;
  /** Messages that come from now on belong to the next turn. The process that owns the run stops it. */
  requestCancel(id: string): Promise<void>;
  stateOf(id: string): Promise<RunState>;
  /** Removes an ended run, also from its chat. Throws `conflict` while it is under way. */
  erase(id: string): Promise<void>;
  isCancelRequested(id: string): Promise<boolean>;
  /** Usage of all nested runs, that is, of runs that tool calls of this one started. */
  usageBelow(id: string): Promise<Usage>;
  /** Whether a caller started it; see `callerKey`. */
  isOf(id: string, callerKey: string): Promise<boolean>;
  get(id: string): Promise<Run>;
  read(id: string): Promise<StoredRun>;
  list(filter: RunFilter): Promise<{ runs: RunSummary[]; total: number }>;
  /** Runs of a caller that are under way; see `callerKey`. */
  activeOf(callerKey: string): Promise<string[]>;
  /** Runs that were under way when the last hub ended. */
  unfinished(): Promise<string[]>;
}

export function createRunStore(db: Database, now: () => Date): RunStore {
  const find = async (id: string): Promise<Row> => {
    const row = await db.one('SELECT * FROM runs WHERE id = ?', [id]);
    if (!row) throw runNotFound(id);
    return row;
  };
  /** Writes a state, and says so to those who follow events. */
  const change = async (
    lease: Lease,
    state: RunState,
    columns: Record<string, SqlValue>,
    also: readonly Statement[] = [],
  ): Promise<void> => {
    const { id } = lease;
    const set = ['state', ...Object.keys(columns)].map((name) => `${name} = ?`).join(', ');
    await db.write([
      requireLeaseStatement(lease),
      { sql: `UPDATE runs SET ${set} WHERE id = ?`, params: [state, ...Object.values(columns), id] },
      runChanged(id, state, now().toISOString()),
      ...also,
    ]);
  };

  return {
    create: (request, run) => createRun(db, request, run, now().toISOString()),
    started: (run, resolved, model) =>
      change(run, 'running', { resolved: JSON.stringify(resolved), model, error: null, end_reason: null }),
    interrupted: (run, error) => change(run, 'interrupted', { error: JSON.stringify(error) }),
    requeued: (run, chatId) =>
      change(run, 'queued', { error: null }, chatId === null ? [] : [refuseSecond(run.id, chatId)]),
    waiting: (run) => change(run, 'waiting', {}),
    continued: (run) => change(run, 'running', {}),
    allowTool: (run, tool) => db.transaction((tx) => allowTool(tx, run, tool)),
    ended(run, { state, reason, text, usage, steps, error }, also) {
      const columns = {
        text,
        usage: JSON.stringify(usage),
        steps,
        error: error ? JSON.stringify(error) : null,
        end_reason: reason,
        ended_at: now().toISOString(),
      };
      return change(run, state, columns, also);
    },

    async requestCancel(id) {
      await db.transaction((tx) =>
        tx.run(`UPDATE runs SET ${CANCEL_REQUESTED} WHERE id = ? AND cancel_requested = 0`, [id]),
      );
    },
    async isCancelRequested(id) {
      return Number((await find(id)).cancel_requested) > 0;
    },
    async stateOf(id) {
      return toSummary(await find(id)).state;
    },
    erase: (id) => db.transaction((tx) => eraseEnded(tx, id)),
    usageBelow: (id) => usageBelow(db, id),

    async isOf(id, key) {
      return (await find(id)).caller_key === key;
    },
    async get(id) {
      return toRun(await find(id), await readSteps(db, id, now()));
    },
    async read(id) {
      const row = await find(id);
      return {
        summary: toSummary(row),
        text: String(row.text),
        request: readStored(RunRequest, row.request),
        resolved: row.resolved === null ? null : readStored(ResolvedAgent, row.resolved),
        steps: await readSteps(db, id, now()),
        shortened: await readShortened(db, id),
      };
    },

    async list(filter) {
      const { where, params } = conditions(filter);
      const [rows, count] = await Promise.all([
        db.all(`SELECT * FROM runs WHERE ${where} ORDER BY created_at DESC, id LIMIT ? OFFSET ?`, [
          ...params,
          filter.limit,
          filter.offset,
        ]),
        db.all(`SELECT COUNT(*) AS n FROM runs WHERE ${where}`, params),
      ]);
      return { runs: rows.map(toSummary), total: Number(count[0]?.n ?? 0) };
    },

    async activeOf(key) {
      const rows = await db.all(`SELECT id FROM runs WHERE ${IS_ACTIVE} AND caller_key = ?`, [key]);
      return rows.map(({ id }) => String(id));
    },
    async unfinished() {
      const rows = await db.all(`SELECT id FROM runs WHERE ${IS_ACTIVE} ORDER BY created_at`);
      return rows.map(({ id }) => String(id));
    },
  };
}

/** The workspace and the agent of the event are those of the run's row. */
const runChanged = (runId: string, state: RunState, at: string): Statement => ({
  sql: `INSERT INTO events (type, at, workspace, agent_id, data)
    SELECT ?, ?, workspace, agent_id, ? FROM runs WHERE id = ?`,
  params: ['run-changed' satisfies EventType, at, JSON.stringify({ runId, state }), runId],
});

/** The turns of its chat that continued this run continue the one before it. */
async function eraseEnded(tx: Transaction, id: string): Promise<void> {
  const row = await tx.one('SELECT state, previous, chat_id, turn FROM runs WHERE id = ?', [id]);
  if (!row) throw runNotFound(id);
  const { state, previous = null, chat_id: chatId = null, turn = null } = row;
  if (ACTIVE_STATES.some((each) => each === state))
    throw new ZooError('conflict', `Run '${id}' is ${state}; cancel it first.`, { run: id });
  await tx.run(
    "UPDATE runs SET previous = ?, request = json_set(request, '$.chat.previous', ?) WHERE previous = ?",
    [previous, previous, id],
  );
  await tx.run('UPDATE chats SET last_turn = MAX(last_turn, ?) WHERE id = ?', [turn, chatId]);
  await tx.run('UPDATE chats SET head = ? WHERE head = ?', [previous, id]);
  await eraseRuns(tx, [id]);
}

async function allowTool(tx: Transaction, run: Lease, tool: string): Promise<void> {
  await requireLease(tx, run);
  const row = await tx.one('SELECT request FROM runs WHERE id = ?', [run.id]);
  if (!row) return;
  const { permissions = {}, ...request } = readStored(RunRequest, row.request);
  const toolApprovals = { ...permissions.toolApprovals, [tool]: 'allow' as const };
  const changed: RunRequest = { ...request, permissions: { ...permissions, toolApprovals } };
  await tx.run('UPDATE runs SET request = ? WHERE id = ?', [JSON.stringify(changed), run.id]);
}

async function usageBelow(db: Reader, id: string): Promise<Usage> {
  const rows = await db.all(
    `WITH RECURSIVE below (id) AS (
       SELECT id FROM runs WHERE parent = ? UNION ALL SELECT runs.id FROM runs JOIN below ON runs.parent = below.id
     ) SELECT usage FROM runs WHERE id IN (SELECT id FROM below)`,
    [id],
  );
  return rows.map(({ usage }) => readStored(Usage, usage)).reduce(addUsage, NO_USAGE);
}

function conditions(filter: RunFilter): { where: string; params: SqlValue[] } {
  const { callerKey: key, agentId, chatId, surface, state, since } = filter;
  const columns = { caller_key: key, agent_id: agentId, chat_id: chatId, surface, state };
  const given: [string, SqlValue][] = Object.entries(columns).flatMap(([column, value]) =>
    value === undefined ? [] : [[`${column} = ?`, value]],
  );
  if (since !== undefined) given.push(['COALESCE(ended_at, created_at) >= ?', since]);
  return {
    where: ['1 = 1', ...given.map(([condition]) => condition)].join(' AND '),
    params: given.map(([, value]) => value),
  };
}
