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
import { callerKey } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Database, Reader, Row, SqlValue, Transaction } from '../../platform/store/database.ts';
import { type NewEvent, recordEvent, recordRunEvent } from '../../platform/store/events.ts';
import { insertLease, type Lease, requireLease } from '../../platform/store/leases.ts';
import { readStored } from '../../platform/store/stored-json.ts';
import type { RunOutcome } from '../loop/run-parts.ts';
import { eraseRuns } from './erase-runs.ts';
import type { ShortenedHistory } from './plan-resume.ts';
import { titleOf } from '../chats/chat-title.ts';
import { CANCEL_REQUESTED } from './run-messages.ts';
import { RunRequest } from './run-request.ts';
import { readShortened, readSteps, runNotFound, type StoredStep, toRun, toSummary } from './run-rows.ts';

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

export interface NewRun {
  /** Of its agent. */
  revision: number;
  /** Of the process that will work on it. */
  lease?: Lease | undefined;
  also?: ((tx: Transaction) => Promise<void>) | undefined;
  /** How many runs its caller may have under way. */
  mostOfCaller?: number | undefined;
  /** Called when only the commit is left to do. */
  onAccepted?: (() => void) | undefined;
}

/** Runs on disk. Every change of a state is an event, and is made by the holder of the run's lease alone. */
export interface RunStore {
  /** Everything that belongs to it is stored in the same transaction. */
  create(request: RunRequest, run: NewRun): Promise<RunSummary>;
  started(run: Lease, resolved: ResolvedAgent, model: string): Promise<void>;
  interrupted(run: Lease, error: RunError): Promise<void>;
  /** The run waits for a person; `continued` follows the answer. */
  waiting(run: Lease): Promise<void>;
  continued(run: Lease): Promise<void>;
  /** The tool needs no approval for the rest of the run. */
  allowTool(run: Lease, tool: string): Promise<void>;
  ended(run: Lease, outcome: RunOutcome): Promise<void>;
  /** Messages that come from now on belong to the next turn. The process that owns the run stops it. */
  requestCancel(id: string): Promise<void>;
  stateOf(id: string): Promise<RunState>;
  /** Removes an ended run. Throws `conflict` while it is under way. */
  erase(id: string): Promise<void>;
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

const ACTIVE_STATES = ['queued', 'running', 'waiting'] as const;
const IS_ACTIVE = "state IN ('queued', 'running', 'waiting')";

export function createRunStore(db: Database, now: () => Date): RunStore {
  const find = async (id: string): Promise<Row> => {
    const row = await db.one('SELECT * FROM runs WHERE id = ?', [id]);
    if (!row) throw runNotFound(id);
    return row;
  };
  /** Writes a state, and says so to those who follow events. */
  const change = (lease: Lease, state: RunState, columns: Record<string, SqlValue>) =>
    db.transaction(async (tx) => {
      const { id } = lease;
      const names = Object.keys(columns);
      const set = ['state', ...names].map((name) => `${name} = ?`).join(', ');
      const event = { type: 'run-changed', data: { runId: id, state }, runId: id } as const;
      await Promise.all([
        requireLease(tx, lease),
        tx.run(`UPDATE runs SET ${set} WHERE id = ?`, [state, ...Object.values(columns), id]),
        recordRunEvent(tx, event, now().toISOString()),
      ]);
    });

  return {
    create: (request, run) => db.transaction((tx) => createRun(tx, request, run, now().toISOString())),
    started: (run, resolved, model) =>
      change(run, 'running', { resolved: JSON.stringify(resolved), model, error: null, end_reason: null }),
    interrupted: (run, error) => change(run, 'interrupted', { error: JSON.stringify(error) }),
    waiting: (run) => change(run, 'waiting', {}),
    continued: (run) => change(run, 'running', {}),
    allowTool: (run, tool) => db.transaction((tx) => allowTool(tx, run, tool)),
    ended: (run, { state, reason, text, usage, steps, error }) =>
      change(run, state, {
        text,
        usage: JSON.stringify(usage),
        steps,
        error: error ? JSON.stringify(error) : null,
        end_reason: reason,
        ended_at: now().toISOString(),
      }),

    async requestCancel(id) {
      await db.transaction((tx) =>
        tx.run(`UPDATE runs SET ${CANCEL_REQUESTED} WHERE id = ? AND cancel_requested = 0`, [id]),
      );
    },
    async stateOf(id) {
      return toSummary(await find(id)).state;
    },
    async erase(id) {
      const { state } = toSummary(await find(id));
      if (ACTIVE_STATES.some((each) => each === state))
        throw new ZooError('conflict', `Run '${id}' is ${state}; cancel it first.`, { run: id });
      await db.transaction((tx) => eraseRuns(tx, [id]));
    },
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

async function createRun(
  tx: Transaction,
  request: RunRequest,
  { revision, lease, also, mostOfCaller, onAccepted }: NewRun,
  at: string,
): Promise<RunSummary> {
  if (mostOfCaller !== undefined) await refuseMore(tx, callerKey(request.identity), mostOfCaller);
  const turn = request.chat ? await nextTurn(tx, request.chat.id) : null;
  const row = rowOf(request, revision, turn, at);
  // Together: each statement that is awaited costs a round trip to the thread that writes.
  await Promise.all([
    lease && insertLease(tx, lease),
    insert(tx, row),
    request.chat && setHead(tx, request, at),
    recordEvent(tx, changed(request.id, 'queued', row), at),
    also?.(tx),
  ]);
  onAccepted?.();
  return toSummary(row);
}

/** Runs inside of runs do not count: their number is limited by the budget of the outermost. */
async function refuseMore(tx: Transaction, key: string, most: number): Promise<void> {
  const row = await tx.one(
    `SELECT COUNT(*) AS count FROM runs WHERE ${IS_ACTIVE} AND caller_key = ? AND parent IS NULL`,
    [key],
  );
  if (Number(row?.count ?? 0) < most) return;
  throw new ZooError(
    'rate_limited',
    `Too many runs at once: this token has ${most} under way, the most it may have. Wait for one to end, or cancel one. The limit is [runner] runs_per_token.`,
    { limit: most },
  );
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

function rowOf(request: RunRequest, revision: number, turn: number | null, at: string): Row {
  const prompt = request.input.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return {
    id: request.id,
    state: 'queued',
    agent_id: request.agentId,
    agent_revision: revision,
    workspace: request.workspace,
    model: null,
    caller: request.caller,
    caller_key: callerKey(request.identity),
    surface: request.surface,
    prompt,
    request: JSON.stringify(request),
    resolved: null,
    text: '',
    steps: 0,
    usage: JSON.stringify(NO_USAGE),
    error: null,
    end_reason: null,
    created_at: at,
    ended_at: null,
    parent: request.parent ?? null,
    chat_id: request.chat?.id ?? null,
    turn,
    previous: request.chat?.previous ?? null,
  };
}

async function insert(tx: Transaction, row: Row): Promise<void> {
  const names = Object.keys(row);
  await tx.run(
    `INSERT INTO runs (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    Object.values(row),
  );
}

/** The run is the newest turn of its chat. */
async function setHead(tx: Transaction, { id, chat, input }: RunRequest, at: string): Promise<void> {
  await tx.run(
    "UPDATE chats SET head = ?, updated_at = ?, title = CASE title WHEN '' THEN ? ELSE title END WHERE id = ?",
    [id, at, titleOf(input), chat?.id ?? null],
  );
}

/** One run at a time: the next turn of a chat continues a complete one. */
async function nextTurn(tx: Transaction, chatId: string): Promise<number> {
  const row = await tx.one(
    "SELECT MAX(turn) AS last, SUM(state IN ('queued', 'running', 'waiting')) AS active FROM runs WHERE chat_id = ?",
    [chatId],
  );
  if (Number(row?.active ?? 0) > 0) {
    throw new ZooError('conflict', `Chat '${chatId}' has a run under way.`, {
      chat: chatId,
      reason: 'chat_busy',
    });
  }
  return Number(row?.last ?? 0) + 1;
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

function changed(runId: string, state: RunState, row: Row): NewEvent {
  return {
    type: 'run-changed',
    workspace: String(row.workspace),
    agentId: String(row.agent_id),
    data: { runId, state },
  };
}
