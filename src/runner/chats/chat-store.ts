import * as z from 'zod';
import type { Chat, ChatSummary, ChatTurn } from '../../contract/chat.ts';
import { ZooError } from '../../contract/errors.ts';
import { RunState } from '../../contract/run.ts';
import type { Database, Row, SqlValue } from '../../platform/store/database.ts';
import { readStored } from '../../platform/store/stored-json.ts';
import { eraseRuns } from '../runs/erase-runs.ts';
import { AgentVersion, RunRequest } from '../runs/run-request.ts';
import { toSummary } from '../runs/run-rows.ts';

const Names = z.array(z.string());
const Arguments = z.record(z.string(), z.unknown());

export type NewChat = Pick<
  Chat,
  | 'id'
  | 'agentId'
  | 'workspace'
  | 'caller'
  | 'surface'
  | 'title'
  | 'arguments'
  | 'models'
  | 'headless'
  | 'outputSchema'
> & {
  /** Who may see it; see `callerKey`. */
  callerKey: string;
  version: AgentVersion | null;
};

export interface ChatFilter {
  callerKey?: string | undefined;
  agentId?: string | undefined;
  limit: number;
  offset: number;
}

export type ChatChange = Partial<Pick<Chat, 'title' | 'models' | 'head' | 'agentId' | 'headless'>>;

export type ChatHead = Omit<Chat, 'history' | 'branch'>;

/** Chats on disk. Their turns are runs. */
export interface ChatStore {
  create(chat: NewChat): Promise<void>;
  isOf(id: string, callerKey: string): Promise<boolean>;
  get(id: string): Promise<Chat>;
  /** The chat without its turns: what the next one needs. */
  head(id: string): Promise<ChatHead>;
  /** One turn of the chat. */
  turn(id: string, runId: string): Promise<ChatTurn>;
  list(filter: ChatFilter): Promise<{ chats: ChatSummary[]; total: number }>;
  update(id: string, change: ChatChange): Promise<void>;
  /** The run under way in this chat. */
  activeRun(id: string): Promise<{ runId: string; turn: number } | null>;
  /** Turns from a number on, oldest first. */
  turnsFrom(id: string, turn: number): Promise<ChatTurn[]>;
  /** False once it was erased. */
  exists(id: string): Promise<boolean>;
  toolCalls(id: string): Promise<number>;
  /** Approvals count for one definition of the agent (`of`); those of another one with the same id are dropped. */
  allow(id: string, tool: string, of: string): Promise<void>;
  approvals(id: string, of: string): Promise<string[]>;
  erase(id: string): Promise<void>;
}

const ACTIVE = "state IN ('queued', 'running', 'waiting')";
const SUMMARY = `SELECT chats.*,
  (SELECT COUNT(*) FROM runs WHERE chat_id = chats.id) AS turns,
  (SELECT state FROM runs WHERE chat_id = chats.id ORDER BY turn DESC LIMIT 1) AS state FROM chats`;

export const chatNotFound = (id: string): ZooError =>
  new ZooError('chat_not_found', `Chat '${id}' not found.`, { chat: id });

export function createChatStore(db: Database, now: () => Date): ChatStore {
  const find = async (id: string): Promise<Row> => {
    const row = await db.one(`${SUMMARY} WHERE id = ?`, [id]);
    if (row) return row;
    throw chatNotFound(id);
  };
  const write = (sql: string, params: readonly SqlValue[]) => db.transaction((tx) => tx.run(sql, params));
  const turnsFrom = async (id: string, turn: number): Promise<ChatTurn[]> => {
    const rows = await db.all('SELECT * FROM runs WHERE chat_id = ? AND turn >= ? ORDER BY turn', [id, turn]);
    return rows.map(toTurn);
  };

  return {
    create: (chat) => insertChat(db, chat, now().toISOString()),
    async isOf(id, key) {
      return (await find(id)).caller_key === key;
    },
    async get(id) {
      const [row, history] = await Promise.all([find(id), turnsFrom(id, 0)]);
      const chat = toHead(row);
      return { ...chat, history, branch: branchOf(history, chat.head) };
    },
    head: async (id) => toHead(await find(id)),
    async turn(id, runId) {
      const row = await db.one('SELECT * FROM runs WHERE id = ? AND chat_id = ?', [runId, id]);
      if (row) return toTurn(row);
      throw new ZooError('run_not_found', `Chat '${id}' has no run '${runId}'.`, { chat: id, run: runId });
    },

    list: (filter) => listChats(db, filter),

    async update(id, { title, models, head, agentId, headless }) {
      const columns: Record<string, SqlValue> = {
        ...(title === undefined ? {} : { title }),
        ...(models === undefined ? {} : { models: models && JSON.stringify(models) }),
        ...(head === undefined ? {} : { head }),
        ...(agentId === undefined ? {} : { agent_id: agentId }),
        ...(headless === undefined ? {} : { headless: headless ? 1 : 0 }),
      };
      const set = [...Object.keys(columns), 'updated_at'].map((name) => `${name} = ?`).join(', ');
      await write(`UPDATE chats SET ${set} WHERE id = ?`, [
        ...Object.values(columns),
        now().toISOString(),
        id,
      ]);
    },

    async activeRun(id) {
      const row = await db.one(`SELECT id, turn FROM runs WHERE chat_id = ? AND ${ACTIVE}`, [id]);
      return row ? { runId: String(row.id), turn: Number(row.turn) } : null;
    },
    turnsFrom,
    exists: async (id) => Boolean(await db.one('SELECT 1 FROM chats WHERE id = ?', [id])),
    async toolCalls(id) {
      const row = await db.one(
        'SELECT COUNT(*) AS n FROM run_calls JOIN runs ON runs.id = run_calls.run_id WHERE runs.chat_id = ?',
        [id],
      );
      return Number(row?.n ?? 0);
    },

    async allow(id, tool, of) {
      await db.transaction(async (tx) => {
        const row = await tx.one('SELECT approvals, approvals_of FROM chats WHERE id = ?', [id]);
        if (!row) return;
        const tools = JSON.stringify([...new Set([...approvalsIn(row, of), tool])]);
        await tx.run('UPDATE chats SET approvals = ?, approvals_of = ? WHERE id = ?', [tools, of, id]);
      });
    },
    async approvals(id, of) {
      const row = await db.one('SELECT approvals, approvals_of FROM chats WHERE id = ?', [id]);
      return row ? approvalsIn(row, of) : [];
    },

    async erase(id) {
      await db.transaction(async (tx) => {
        const runs = await tx.all('SELECT id FROM runs WHERE chat_id = ?', [id]);
        await eraseRuns(
          tx,
          runs.map((run) => String(run.id)),
        );
        await tx.run('DELETE FROM chats WHERE id = ?', [id]);
      });
    },
  };
}

/** Chats of earlier versions do not know whose approvals they have. */
const approvalsIn = (row: Row, of: string): string[] =>
  row.approvals_of === null || row.approvals_of === of ? readStored(Names, row.approvals) : [];

async function insertChat(db: Database, chat: NewChat, at: string): Promise<void> {
  const row = {
    id: chat.id,
    agent_id: chat.agentId,
    workspace: chat.workspace,
    caller: chat.caller,
    caller_key: chat.callerKey,
    surface: chat.surface,
    title: chat.title,
    arguments: JSON.stringify(chat.arguments),
    models: chat.models && JSON.stringify(chat.models),
    headless: chat.headless ? 1 : 0,
    approvals: '[]',
    version: chat.version && JSON.stringify(chat.version),
    output_schema: chat.outputSchema && JSON.stringify(chat.outputSchema),
    head: null,
    created_at: at,
    updated_at: at,
  };
  const names = Object.keys(row);
  await db.transaction((tx) =>
    tx.run(
      `INSERT INTO chats (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      Object.values(row),
    ),
  );
}

async function listChats(
  db: Database,
  { callerKey, agentId, limit, offset }: ChatFilter,
): Promise<{ chats: ChatSummary[]; total: number }> {
  const given = Object.entries({ caller_key: callerKey, agent_id: agentId }).flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value] as const],
  );
  const where = ['1 = 1', ...given.map(([column]) => `${column} = ?`)].join(' AND ');
  const params = given.map(([, value]) => value);
  const [rows, count] = await Promise.all([
    db.all(`${SUMMARY} WHERE ${where} ORDER BY updated_at DESC, id LIMIT ? OFFSET ?`, [
      ...params,
      limit,
      offset,
    ]),
    db.all(`SELECT COUNT(*) AS n FROM chats WHERE ${where}`, params),
  ]);
  return { chats: rows.map(toChat), total: Number(count[0]?.n ?? 0) };
}

const versionIn = (row: Row): AgentVersion =>
  row.version === null ? {} : readStored(AgentVersion, row.version);

function toChat(row: Row): ChatSummary {
  const { revision, definition } = versionIn(row);
  return {
    id: String(row.id),
    agentId: String(row.agent_id),
    workspace: String(row.workspace),
    title: String(row.title),
    caller: String(row.caller),
    surface: String(row.surface),
    models: row.models === null ? null : readStored(Names, row.models),
    headless: row.headless === 1,
    revision: revision ?? null,
    isDraft: definition !== undefined,
    head: row.head === null ? null : String(row.head),
    state: row.state === null ? null : RunState.parse(row.state),
    turns: Number(row.turns),
    createdAt: String(row.created_at),
    updatedAt: String(row.updated_at),
  };
}

function toHead(row: Row): ChatHead {
  return {
    ...toChat(row),
    arguments: readStored(Arguments, row.arguments),
    approvals: readStored(Names, row.approvals),
    definition: versionIn(row).definition ?? null,
    outputSchema: row.output_schema === null ? null : readStored(Arguments, row.output_schema),
  };
}

function toTurn(row: Row): ChatTurn {
  const { id, state, model, steps, usage, error, createdAt, endedAt } = toSummary(row);
  return {
    runId: id,
    turn: Number(row.turn),
    previous: row.previous === null ? null : String(row.previous),
    state,
    model,
    input: readStored(RunRequest, row.request).input,
    text: String(row.text),
    steps,
    usage,
    error,
    createdAt,
    endedAt,
  };
}

/** The runs from the beginning of a chat to its head. */
function branchOf(history: readonly Pick<ChatTurn, 'runId' | 'previous'>[], head: string | null): string[] {
  const byId = new Map(history.map((turn) => [turn.runId, turn]));
  const branch: string[] = [];
  for (let turn = byId.get(head ?? ''); turn; turn = byId.get(turn.previous ?? ''))
    branch.unshift(turn.runId);
  return branch;
}
