import { callerKey } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import { NO_USAGE, type RunSummary } from '../../contract/run.ts';
import type { Database, Row, Statement } from '../../platform/store/database.ts';
import { eventStatement } from '../../platform/store/events.ts';
import { insertLeaseStatement, type Lease } from '../../platform/store/leases.ts';
import { chatNotFound } from '../chats/chat-store.ts';
import { titleOf } from '../chats/chat-title.ts';
import type { RunRequest } from './run-request.ts';
import { IS_ACTIVE, toSummary } from './run-rows.ts';

export interface NewRun {
  /** Of its agent. */
  revision: number;
  /** Of the process that will work on it. */
  lease?: Lease | undefined;
  also?: readonly Statement[] | undefined;
  /** How many runs its caller may have under way. */
  mostOfCaller?: number | undefined;
}

/** Stores a run with everything that belongs to it, in one write. */
export async function createRun(
  db: Pick<Database, 'write'>,
  request: RunRequest,
  { revision, lease, also = [], mostOfCaller }: NewRun,
  at: string,
): Promise<RunSummary> {
  const row = rowOf(request, revision, at);
  const changed = {
    type: 'run-changed',
    workspace: request.workspace,
    agentId: request.agentId,
    data: { runId: request.id, state: 'queued' },
  } as const;
  const [inserted] = await db.write([
    insert(row),
    ...(request.identity.kind === 'agent' ? [refuseRevoked(request.identity.tokenId)] : []),
    ...(mostOfCaller === undefined ? [] : [refuseMore(request, mostOfCaller)]),
    ...(request.chat
      ? [refuseSecond(request.id, request.chat.id), setHead(request, request.chat.id, at)]
      : []),
    ...(lease ? [insertLeaseStatement(lease)] : []),
    eventStatement(changed, at),
    ...also,
  ]);
  return toSummary({ ...row, turn: inserted?.turn ?? null });
}

/** Why a run of a revoked token ends. */
export const tokenRevoked = (): ZooError =>
  new ZooError('unauthorized', 'The token that started this run was revoked.', {
    reason: 'token_revoked',
  });

/** A token that is revoked before this write has no run here that could be cancelled. */
const refuseRevoked = (tokenId: string): Statement => ({
  sql: 'SELECT 1 FROM access_tokens WHERE id = ?',
  params: [tokenId],
  orElse: tokenRevoked,
});

/** Runs inside of runs do not count: their number is limited by the budget of the outermost. */
function refuseMore({ id, identity }: RunRequest, most: number): Statement {
  return {
    sql: `SELECT 1 WHERE
      (SELECT COUNT(*) FROM runs WHERE ${IS_ACTIVE} AND caller_key = ? AND parent IS NULL AND id <> ?) < ?`,
    params: [callerKey(identity), id, most],
    orElse: () =>
      new ZooError(
        'rate_limited',
        `Too many runs at once: this token has ${most} under way, the most it may have. Wait for one to end, or cancel one. The limit is [runner] runs_per_token.`,
        { limit: most },
      ),
  };
}

/** One run at a time: the next turn of a chat continues a complete one. */
export function refuseSecond(id: string, chatId: string): Statement {
  return {
    sql: `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM runs WHERE chat_id = ? AND ${IS_ACTIVE} AND id <> ?)`,
    params: [chatId, id],
    orElse: () => chatBusy(chatId),
  };
}

export const chatBusy = (chatId: string): ZooError =>
  new ZooError('conflict', `Chat '${chatId}' has a run under way. Cancel it first, or wait until it ends.`, {
    chat: chatId,
    reason: 'chat_busy',
  });

/** The run is the newest turn of its chat, which may have been erased meanwhile. */
function setHead({ id, input }: RunRequest, chatId: string, at: string): Statement {
  return {
    sql: "UPDATE chats SET head = ?, updated_at = ?, title = CASE title WHEN '' THEN ? ELSE title END WHERE id = ? RETURNING id",
    params: [id, at, titleOf(input), chatId],
    orElse: () => chatNotFound(chatId),
  };
}

function rowOf(request: RunRequest, revision: number, at: string): Row {
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
    previous: request.chat?.previous ?? null,
  };
}

function insert(row: Row): Statement {
  const names = Object.keys(row);
  const turn = `(SELECT MAX(last_turn, COALESCE((SELECT MAX(turn) FROM runs WHERE chat_id = chats.id), 0)) + 1
    FROM chats WHERE id = ?)`;
  return {
    sql: `INSERT INTO runs (${names.join(', ')}, turn) VALUES (${names.map(() => '?').join(', ')}, ${turn}) RETURNING turn`,
    params: [...Object.values(row), row.chat_id ?? null],
  };
}
