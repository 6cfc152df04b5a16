import { type Agent, AgentDefinition, AgentSummary, RESERVED_IDS } from '../contract/agent.ts';
import { type CallContext, callerName } from '../contract/call.ts';
import { ZooError } from '../contract/errors.ts';
import { Revision, type RevisionAction } from '../contract/revision.ts';
import type { Database, Row, Transaction } from '../platform/store/database.ts';
import { recordEvent } from '../platform/store/events.ts';
import { once } from '../platform/store/once.ts';
import { firstFree, slug } from '../platform/text/slug.ts';
import { readStored } from '../platform/store/stored-json.ts';
import { changesBetween } from './changes.ts';
import { definitionOf } from './definition.ts';

/** Fields that agents stored by an earlier version may lack. */
const ADDED_LATER: Pick<AgentDefinition, 'toolApprovals'> = { toolApprovals: {} };

/** Why and by whom an agent is written. */
export interface Write {
  action: RevisionAction;
  context: CallContext;
  /** Fails with `conflict` unless the agent is still at this revision. */
  expected?: number | undefined;
}

/** The editor's agents. Every write is a revision; nothing is overwritten. */
export interface AgentStore {
  get(id: string): Promise<Agent | null>;
  /** Sorted by id. */
  list(options: { deleted: boolean }): Promise<readonly AgentSummary[]>;
  create(
    definition: AgentDefinition,
    context: CallContext,
    id: { exact: string } | { base: string; taken: (id: string) => boolean },
  ): Promise<Agent>;
  /** Reads and writes in one transaction; `change` gets the current definition. */
  update<T = null>(
    id: string,
    edit: Write,
    change: (definition: AgentDefinition) => { definition: AgentDefinition; value: T },
  ): Promise<{ agent: Agent; value: T }>;
  remove(id: string, edit: Omit<Write, 'action'>): Promise<null>;
  undelete(id: string, context: CallContext): Promise<Agent>;
  history(id: string, options: { limit: number; before?: number | undefined }): Promise<Revision[]>;
  revision(id: string, revision: number): Promise<Agent>;
  /** Names a revision; null removes the name. */
  label(id: string, revision: number, label: string | null, context: CallContext): Promise<Revision>;
  /** Whether the id was ever used; deleted agents keep theirs. */
  knows(id: string): Promise<boolean>;
  count(): Promise<number>;
}

export function createAgentStore(db: Database, now: () => Date): AgentStore {
  const stamp = () => now().toISOString();
  const write = <T>(context: CallContext, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    db.transaction((tx) => once(tx, context, stamp(), () => work(tx)));

  return {
    async get(id) {
      const row = await db.one('SELECT * FROM agents WHERE id = ? AND deleted_at IS NULL', [id]);
      return row ? toAgent(row) : null;
    },

    async list({ deleted }) {
      const rows = await db.all(
        `SELECT summary, deleted_at FROM agents WHERE deleted_at IS ${deleted ? 'NOT ' : ''}NULL ORDER BY id`,
      );
      return rows.map((row) => {
        const summary = readStored(AgentSummary, row.summary);
        if (row.deleted_at !== null) summary.deletedAt = String(row.deleted_at);
        return summary;
      });
    },

    create: (definition, context, wanted) =>
      write(context, async (tx) => {
        const id = 'exact' in wanted ? wanted.exact : await freeId(tx, wanted.base, wanted.taken);
        await refuseTaken(tx, id);
        const at = stamp();
        const agent = asAgent(id, 1, definition, at, at);
        await save(tx, agent, null, { action: 'created', context });
        return agent;
      }),

    update: (id, edit, change) =>
      write(edit.context, async (tx) => {
        const before = toAgent(await live(tx, id));
        refuseStale(before, edit.expected);
        const { definition, value } = change(definitionOf(before));
        // Saving without a change creates no revision, so that the history shows only real edits.
        if (changesBetween(definitionOf(before), definition).length === 0) return { agent: before, value };
        const agent = asAgent(id, before.revision + 1, definition, before.createdAt, stamp());
        await save(tx, agent, before, edit);
        return { agent, value };
      }),

    remove: (id, edit) =>
      write(edit.context, async (tx) => {
        const before = toAgent(await live(tx, id));
        refuseStale(before, edit.expected);
        const next = { ...before, revision: before.revision + 1, updatedAt: stamp() };
        await save(tx, next, before, { ...edit, action: 'deleted' });
        return null;
      }),

    undelete: (id, context) =>
      write(context, async (tx) => {
        const row = await tx.one('SELECT * FROM agents WHERE id = ?', [id]);
        if (!row) throw notFound(id);
        const before = toAgent(row);
        if (row.deleted_at === null) return before;
        const next = { ...before, revision: before.revision + 1, updatedAt: stamp() };
        await save(tx, next, before, { action: 'undeleted', context });
        return next;
      }),

    async history(id, { limit, before }) {
      const rows = await db.all(
        `SELECT ${REVISION_COLUMNS} FROM revisions WHERE agent_id = ? AND revision < ? ORDER BY revision DESC LIMIT ?`,
        [id, before ?? Number.MAX_SAFE_INTEGER, limit],
      );
      return rows.map(toRevision);
    },

    label: (id, revision, label, context) =>
      write(context, (tx) => saveLabel(tx, { id, revision, label, at: stamp(), context })),

    async revision(id, revision) {
      const row = await db.one(
        'SELECT r.agent_id AS id, r.revision, r.definition, r.at AS updated_at, a.created_at FROM revisions r JOIN agents a ON a.id = r.agent_id WHERE r.agent_id = ? AND r.revision = ?',
        [id, revision],
      );
      if (row) return toAgent(row);
      throw await noRevision(db, id, revision);
    },

    async knows(id) {
      return (await db.one('SELECT 1 AS found FROM agents WHERE id = ?', [id])) !== undefined;
    },

    async count() {
      const row = await db.one('SELECT COUNT(*) AS n FROM agents WHERE deleted_at IS NULL');
      return Number(row?.n ?? 0);
    },
  };
}

/** The row of an agent that is not deleted. */
async function live(tx: Pick<Transaction, 'one'>, id: string): Promise<Row> {
  const row = await tx.one('SELECT * FROM agents WHERE id = ?', [id]);
  if (!row) throw notFound(id);
  if (row.deleted_at !== null) {
    throw new ZooError('agent_not_found', `Agent with ID '${id}' is deleted; undelete it to use it again.`, {
      id,
      deletedAt: row.deleted_at,
    });
  }
  return row;
}

/** Writes the agent, its revision and the event, as one transaction. */
async function save(tx: Transaction, next: Agent, before: Agent | null, edit: Write): Promise<void> {
  const definition = JSON.stringify(definitionOf(next));
  const deletedAt = edit.action === 'deleted' ? next.updatedAt : null;
  const columns = [next.revision, definition, JSON.stringify(summaryOf(next)), next.updatedAt, deletedAt];
  if (before) {
    await tx.run(
      'UPDATE agents SET revision = ?, definition = ?, summary = ?, updated_at = ?, deleted_at = ? WHERE id = ?',
      [...columns, next.id],
    );
  } else {
    await tx.run(
      'INSERT INTO agents (revision, definition, summary, updated_at, deleted_at, created_at, id) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [...columns, next.createdAt, next.id],
    );
  }
  const changes = changesBetween(before ? definitionOf(before) : {}, definitionOf(next)).map(
    ({ path }) => path,
  );
  await tx.run(
    'INSERT INTO revisions (agent_id, revision, action, definition, changes, at, surface, caller) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    [
      next.id,
      next.revision,
      edit.action,
      definition,
      JSON.stringify(changes),
      next.updatedAt,
      edit.context.surface,
      callerName(edit.context),
    ],
  );
  const type = EVENT_OF[edit.action];
  const data = { source: 'editor', revision: next.revision, changes, surface: edit.context.surface };
  await recordEvent(tx, { type, workspace: null, agentId: next.id, data }, next.updatedAt);
}

const EVENT_OF = {
  created: 'agent-created',
  changed: 'agent-changed',
  restored: 'agent-changed',
  deleted: 'agent-deleted',
  undeleted: 'agent-undeleted',
} as const satisfies Record<RevisionAction, string>;

function notFound(id: string): ZooError {
  return new ZooError('agent_not_found', `Agent with ID '${id}' not found.`, { id });
}

interface LabelWrite {
  id: string;
  revision: number;
  label: string | null;
  at: string;
  context: CallContext;
}

async function saveLabel(
  tx: Transaction,
  { id, revision, label, at, context }: LabelWrite,
): Promise<Revision> {
  await tx.run('UPDATE revisions SET label = ? WHERE agent_id = ? AND revision = ?', [label, id, revision]);
  const row = await tx.one(`SELECT ${REVISION_COLUMNS} FROM revisions WHERE agent_id = ? AND revision = ?`, [
    id,
    revision,
  ]);
  if (!row) throw await noRevision(tx, id, revision);
  const data = { source: 'editor', revision, changes: [], surface: context.surface };
  await recordEvent(tx, { type: 'agent-changed', workspace: null, agentId: id, data }, at);
  return toRevision(row);
}

const REVISION_COLUMNS = 'revision, action, changes, at, surface, caller, label';

const toRevision = (row: Row): Revision =>
  Revision.parse({ ...row, changes: readStored(Revision.shape.changes, row.changes) });

async function noRevision(tx: Pick<Transaction, 'one'>, id: string, revision: number): Promise<ZooError> {
  const newest = await tx.one('SELECT revision FROM agents WHERE id = ?', [id]);
  if (!newest) return notFound(id);
  return new ZooError(
    'revision_not_found',
    `Agent '${id}' has no revision ${revision}; it has 1 to ${String(newest.revision)}.`,
    { id },
  );
}

async function refuseTaken(tx: Transaction, id: string): Promise<void> {
  const taken = await tx.one('SELECT deleted_at FROM agents WHERE id = ?', [id]);
  if (!taken) return;
  const hint = taken.deleted_at === null ? '' : ' It is deleted; undelete it, or choose another id.';
  throw new ZooError('already_exists', `An agent with the id '${id}' already exists.${hint}`, { id });
}

function refuseStale(agent: Agent, expected: number | undefined): void {
  if (expected === undefined || expected === agent.revision) return;
  throw new ZooError(
    'conflict',
    `Agent '${agent.id}' is at revision ${agent.revision}, but the edit is based on revision ${expected}. Read it again and repeat the edit.`,
    { id: agent.id, current: agent.revision, given: expected },
  );
}

async function freeId(tx: Transaction, base: string, taken: (id: string) => boolean): Promise<string> {
  const start = slug(base, 'agent');
  const rows = await tx.all('SELECT id FROM agents WHERE id = ? OR id LIKE ?', [start, `${start}-%`]);
  const used = new Set(rows.map((row) => String(row.id)));
  const reserved = new Set<string>(RESERVED_IDS);
  return firstFree(start, (id) => used.has(id) || reserved.has(id) || taken(id));
}

function asAgent(
  id: string,
  revision: number,
  definition: AgentDefinition,
  createdAt: string,
  updatedAt: string,
): Agent {
  return { id, ...definition, source: 'editor', origin: null, revision, createdAt, updatedAt };
}

function toAgent(row: Row): Agent {
  const definition = { ...ADDED_LATER, ...readStored(AgentDefinition, row.definition) };
  return asAgent(
    String(row.id),
    Number(row.revision),
    definition,
    String(row.created_at),
    String(row.updated_at),
  );
}

/** The part of an agent that lists show. */
export function summaryOf(agent: Agent): AgentSummary {
  return {
    id: agent.id,
    name: agent.name,
    description: agent.description,
    version: agent.version,
    mode: agent.mode,
    tools: agent.tools,
    arguments: agent.arguments,
    appearanceSeed: agent.appearanceSeed,
    source: agent.source,
    origin: agent.origin,
    revision: agent.revision,
    updatedAt: agent.updatedAt,
    deletedAt: null,
    shadows: [],
    trusted: true,
  };
}
