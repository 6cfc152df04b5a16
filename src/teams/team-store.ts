import * as z from 'zod';
import { ZooError } from '../contract/errors.ts';
import type { Database, Row, SqlValue, Statement } from '../platform/store/database.ts';
import { eventStatement } from '../platform/store/events.ts';
import { readStored } from '../platform/store/stored-json.ts';
import { createMemberTokens, type MemberTokens } from './member-tokens.ts';
import type { Changes } from './state/draft.ts';
import {
  type HistoryEntry,
  isSettled,
  Member,
  Message,
  Team,
  type TeamState,
  Turn,
} from './state/team-state.ts';

export type RecordedEntry = HistoryEntry & { seq: number; at: number };

/** Teams on disk. Rows hold the records of the state machine; what is settled is in no hub's memory. */
export interface TeamStore extends MemberTokens {
  /** The statements that store a new team. */
  create(team: Team): Statement[];
  /** The statements that store a decision: its rows and its event. */
  record(team: Team, changes: Changes): Statement[];
  load(id: string): Promise<TeamState>;
  /** By id, the beginning of an id, or a name; the newest of several. Throws `team_not_found`. */
  find(named: string): Promise<Team>;
  list(): Promise<Team[]>;
  /** Teams that are not over. */
  active(): Promise<string[]>;
  messages(teamId: string, after: number, limit: number): Promise<Message[]>;
  message(id: string): Promise<Message | null>;
  /** By its id or the beginning of it. Throws `message_not_found`, or `invalid_arguments` if several match. */
  findMessage(teamId: string, start: string): Promise<Message>;
  /** Messages that were sent in a turn. */
  sentIn(teamId: string, turn: string): Promise<Message[]>;
  deadLetters(teamId: string): Promise<Message[]>;
  /** Newest first; those with a lower number than `before`. */
  turns(memberId: string, limit: number, before?: number): Promise<Turn[]>;
  history(teamId: string, after: number, limit: number): Promise<RecordedEntry[]>;
  messagesById(ids: readonly string[]): Promise<Map<string, Message>>;
  turnsById(ids: readonly string[]): Promise<Map<string, Turn>>;
}

const parse = <S extends z.ZodType>(schema: S, row: Row): z.output<S> => readStored(schema, row.data);

export function createTeamStore(db: Database, now: () => Date): TeamStore {
  const messagesBy = async (where: string, values: readonly SqlValue[]): Promise<Message[]> =>
    (await db.all(`SELECT data FROM team_messages WHERE ${where}`, values)).map((row) => parse(Message, row));

  return {
    create(team) {
      const entry = { type: 'team', subject: team.id, state: team.state, reason: null } as const;
      return [putTeam(team), ...putHistory(team.id, now().getTime(), [entry])];
    },
    record(team, changes) {
      const at = now();
      const data = { team: team.id, state: team.state };
      const event = { type: 'team-changed' as const, workspace: team.workspace, agentId: null, data };
      return [
        ...(changes.team ? [putTeam(changes.team)] : []),
        ...putMembers(team.id, changes.members),
        ...putMessages(team.id, changes.messages),
        ...putTurns(team.id, changes.turns),
        ...putHistory(team.id, at.getTime(), changes.history),
        eventStatement(event, at.toISOString()),
      ];
    },
    async load(id) {
      const [row, last, members, messages, turns] = await Promise.all([
        db.one('SELECT data FROM teams WHERE id = ?', [id]),
        db.one('SELECT MAX(seq) AS seq FROM team_messages WHERE team_id = ?', [id]),
        db.all('SELECT data FROM team_members WHERE team_id = ? ORDER BY rowid', [id]),
        messagesBy('team_id = ? AND live = 1 ORDER BY seq', [id]),
        db.all('SELECT data FROM team_turns WHERE team_id = ? AND live = 1', [id]),
      ]);
      if (!row) throw teamNotFound(id);
      return {
        team: { ...parse(Team, row), nextSeq: Number(last?.seq ?? 0) + 1 },
        members: byId(members.map((each) => parse(Member, each))),
        messages: byId(messages),
        turns: byId(turns.map((each) => parse(Turn, each))),
      };
    },
    async find(named) {
      const exact = await db.one('SELECT data FROM teams WHERE id = ?', [named]);
      if (exact) return parse(Team, exact);
      const [found] = await db.all(
        'SELECT data FROM teams WHERE name = ? OR substr(id, 1, ?) = ? ORDER BY rowid DESC LIMIT 1',
        [named, named.length, named],
      );
      if (!found || named === '') throw teamNotFound(named);
      return parse(Team, found);
    },
    list: async () =>
      (await db.all('SELECT data FROM teams ORDER BY rowid DESC LIMIT 200')).map((row) => parse(Team, row)),
    active: async () =>
      (await db.all("SELECT id FROM teams WHERE state IN ('running', 'paused') ORDER BY rowid")).map(
        ({ id }) => String(id),
      ),
    messages: (teamId, after, limit) =>
      messagesBy('team_id = ? AND seq > ? ORDER BY seq LIMIT ?', [teamId, after, limit]),
    message: async (id) => (await messagesBy('id = ?', [id]))[0] ?? null,
    async findMessage(teamId, start) {
      const where = 'team_id = ? AND substr(id, 1, ?) = ? ORDER BY seq LIMIT 10';
      return onlyMessage(start, await messagesBy(where, [teamId, start.length, start]));
    },
    sentIn: async (teamId, turn) =>
      (await messagesBy('team_id = ? ORDER BY seq DESC LIMIT 500', [teamId]))
        .filter((message) => message.sentIn === turn)
        .toReversed(),
    deadLetters: async (teamId) =>
      (await messagesBy('team_id = ? AND live = 0 ORDER BY seq DESC LIMIT 2000', [teamId]))
        .filter(({ state }) => state === 'dead')
        .toReversed(),
    turns: async (memberId, limit, before) =>
      (
        await db.all(
          `SELECT data FROM team_turns WHERE member_id = ? AND json_extract(data, '$.number') < ?
           ORDER BY started_at DESC LIMIT ?`,
          [memberId, before ?? Number.MAX_SAFE_INTEGER, limit],
        )
      ).map((row) => parse(Turn, row)),
    history: async (teamId, after, limit) =>
      (
        await db.all('SELECT * FROM team_history WHERE team_id = ? AND seq > ? ORDER BY seq LIMIT ?', [
          teamId,
          after,
          limit,
        ])
      ).map(toEntry),
    messagesById: async (ids) => byId(await messagesBy(`id IN (${marks(ids)})`, ids)),
    turnsById: async (ids) =>
      byId(
        (await db.all(`SELECT data FROM team_turns WHERE id IN (${marks(ids)})`, ids)).map((row) =>
          parse(Turn, row),
        ),
      ),
    ...createMemberTokens(db),
  };
}

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

const EntryType = z.enum(['team', 'member', 'message', 'turn', 'worktree']);

const toEntry = (row: Row): RecordedEntry => ({
  seq: Number(row.seq),
  at: Number(row.at),
  type: EntryType.parse(row.type),
  subject: String(row.subject),
  state: String(row.state),
  reason: row.reason === null ? null : String(row.reason),
});

/** Rows of one statement: SQLite takes at most 32,766 values. */
const MOST_ROWS = 500;

/** Many rows in few statements, since each costs more than its row. `after` is what follows the values. */
function putRows(into: string, rows: readonly (readonly SqlValue[])[], after = ''): Statement[] {
  const statements: Statement[] = [];
  for (let from = 0; from < rows.length; from += MOST_ROWS) {
    const some = rows.slice(from, from + MOST_ROWS);
    const values = some.map((row) => `(${marks(row)})`).join(', ');
    statements.push({ sql: `INSERT INTO ${into} VALUES ${values} ${after}`, params: some.flat() });
  }
  return statements;
}

const putHistory = (teamId: string, at: number, entries: readonly HistoryEntry[]): Statement[] =>
  putRows(
    'team_history (team_id, at, type, subject, state, reason)',
    entries.map(({ type, subject, state, reason }) => [teamId, at, type, subject, state, reason ?? null]),
  );

const byId = <T extends { id: string }>(rows: readonly T[]): Map<string, T> =>
  new Map(rows.map((row) => [row.id, row]));

const teamNotFound = (named: string): ZooError =>
  new ZooError('team_not_found', `Team '${named}' not found.`, { team: named });

function onlyMessage(start: string, found: readonly Message[]): Message {
  const [first] = found;
  if (!first || start === '') {
    throw new ZooError('message_not_found', `Message '${start}' not found in this team.`);
  }
  if (found.length === 1) return first;
  const ids = found.map(({ id }) => id).join(', ');
  throw new ZooError('invalid_arguments', `Several messages start with '${start}': ${ids}.`);
}

const putTeam = (team: Team): Statement => ({
  sql: `INSERT INTO teams (id, name, state, data) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, data = excluded.data`,
  params: [team.id, team.name, team.state, JSON.stringify(team)],
});

const putMembers = (teamId: string, members: readonly Member[]): Statement[] =>
  putRows(
    'team_members (id, team_id, data)',
    members.map((member) => [member.id, teamId, JSON.stringify(member)]),
    'ON CONFLICT (id) DO UPDATE SET data = excluded.data',
  );

const putMessages = (teamId: string, messages: readonly Message[]): Statement[] =>
  putRows(
    'team_messages (id, team_id, seq, live, data)',
    messages.map((message) => [
      message.id,
      teamId,
      message.seq,
      isSettled(message) ? 0 : 1,
      JSON.stringify(message),
    ]),
    'ON CONFLICT (id) DO UPDATE SET live = excluded.live, data = excluded.data',
  );

const putTurns = (teamId: string, turns: readonly Turn[]): Statement[] =>
  putRows(
    'team_turns (id, team_id, member_id, started_at, live, data)',
    turns.map((turn) => [
      turn.id,
      teamId,
      turn.member,
      turn.startedAt,
      turn.state === 'running' || turn.state === 'queued' ? 1 : 0,
      JSON.stringify(turn),
    ]),
    `ON CONFLICT (id) DO UPDATE SET live = excluded.live, started_at = excluded.started_at, data = excluded.data`,
  );
