import { CallOutcome, type ToolCallRecord } from '../../contract/activity.ts';
import { type CallContext, callerName } from '../../contract/call.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ToolCall, ToolDescriptor, ToolResult } from '../../contract/tool.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import type { Database, Row, SqlValue, Transaction } from '../../platform/store/database.ts';
import { createBatchWriter } from '../../platform/store/batch-writer.ts';
import { maskArguments, maskText } from './mask-arguments.ts';
import { messageOf } from '../../platform/text/error-message.ts';

const FLUSH_MS = 250;
const FLUSH_AT = 500;
const MOST_WAITING = 5_000;
const KEPT_CALLS = 100_000;
const PRUNE_MS = 60 * 60 * 1000;
const PRUNE_AT = 5_000;
const LONGEST_MESSAGE = 500;
const LONGEST_NAME = 200;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface ActivityFilter {
  agent?: string | undefined;
  tool?: string | undefined;
  client?: string | undefined;
  failed?: boolean | undefined;
  since?: string | undefined;
  after?: number | undefined;
  before?: number | undefined;
  limit?: number | undefined;
}

export interface ActivityOptions {
  db: Database;
  now: () => Date;
  /** How many days calls are kept; with 0, none is recorded. */
  days: () => number;
  /** Whether this process deletes old calls: the hub does, one-off commands do not. */
  prunes: boolean;
  pruneEveryMs?: number;
  /** Values to mask, for callers of a workspace. */
  secretsOf: (workspace: string) => Promise<readonly string[]>;
  log: (message: string, error: unknown) => void;
}

/** The record of tool calls: caller, arguments and outcome. */
export interface Activity {
  /**
   * Runs a call and records it. Records are written in batches a moment later, so that no call waits for the disk; a
   * hub that is killed loses those of its last quarter of a second.
   */
  watch(
    tool: Pick<ToolDescriptor, 'name' | 'displayName'>,
    args: Record<string, unknown>,
    call: ToolCall,
    work: () => Promise<ToolResult>,
  ): Promise<ToolResult>;
  list(filter: ActivityFilter): Promise<ToolCallRecord[]>;
  /** Reports a record that cannot be written. */
  diagnostics(): Diagnostic[];
  /** Writes all pending records. */
  close(): Promise<void>;
}

interface Note {
  at: Date;
  context: CallContext;
  tool: Pick<ToolDescriptor, 'name' | 'displayName'>;
  args: Record<string, unknown>;
  durationMs: number;
  ending: Ending;
}

interface Ending {
  outcome: CallOutcome;
  code: string | null;
  message: string | null;
}

const COLUMNS = [
  'at',
  'caller',
  'surface',
  'client',
  'agent_id',
  'workspace',
  'tool',
  'display_name',
  'arguments',
  'duration_ms',
  'outcome',
  'code',
  'message',
];
const VALUES = `(${COLUMNS.map(() => '?').join(', ')})`;
/** Rows per statement, which is one message to the writing thread. */
const ROWS = 20;
const insert = (rows: number): string =>
  `INSERT INTO tool_calls (${COLUMNS.join(', ')}) VALUES ${Array.from({ length: rows }, () => VALUES).join(', ')}`;

export function createActivity(options: ActivityOptions): Activity {
  const { db, now, prunes, pruneEveryMs = PRUNE_MS } = options;
  let prunedAt = 0;
  let sincePruned = 0;
  const writer = createBatchWriter<Note>({
    what: 'tool calls',
    write,
    flushMs: FLUSH_MS,
    flushAt: FLUSH_AT,
    mostWaiting: MOST_WAITING,
    onError: options.log,
  });
  // Old calls must also be deleted when no new ones arrive.
  const pruning = prunes ? setInterval(() => void pruneNow(), pruneEveryMs).unref() : undefined;

  async function write(notes: readonly Note[]): Promise<void> {
    const rows: SqlValue[][] = [];
    for (const each of notes) rows.push(toRow(each, await maskedIn(each.context.workspace)));
    await db.transaction(async (tx) => {
      for (let from = 0; from < rows.length; from += ROWS) {
        const some = rows.slice(from, from + ROWS);
        await tx.run(insert(some.length), some.flat());
      }
      sincePruned += rows.length;
      if (prunes && (now().getTime() - prunedAt >= pruneEveryMs || sincePruned >= PRUNE_AT)) await prune(tx);
    });
  }

  async function maskedIn(workspace: string): Promise<readonly string[]> {
    try {
      return await options.secretsOf(workspace);
    } catch (error) {
      // A deleted workspace has no secrets to mask.
      options.log('the secrets of a workspace could not be read', error);
      return [];
    }
  }

  async function prune(tx: Transaction): Promise<void> {
    const time = now().getTime();
    prunedAt = time;
    sincePruned = 0;
    const oldest = new Date(time - options.days() * DAY_MS).toISOString();
    await tx.run('DELETE FROM tool_calls WHERE at < ?', [oldest]);
    await tx.run('DELETE FROM tool_calls WHERE seq <= (SELECT MAX(seq) FROM tool_calls) - ?', [KEPT_CALLS]);
  }

  async function pruneNow(): Promise<void> {
    try {
      await db.transaction(prune);
    } catch (error) {
      options.log('old tool calls could not be deleted', error);
    }
  }

  return {
    async watch(tool, args, call, work) {
      const at = now();
      const started = performance.now();
      const end = (ending: Ending): void => {
        const durationMs = Math.round((performance.now() - started) * 100) / 100;
        if (options.days() > 0) writer.add({ at, context: call.context, tool, args, durationMs, ending });
      };
      try {
        const result = await work();
        end(
          result.isError
            ? failed('tool_error', textOf(result))
            : { outcome: 'ok', code: null, message: null },
        );
        return result;
      } catch (error) {
        end(endingOf(error, call.context.signal));
        throw error;
      }
    },

    async list(filter) {
      await writer.flush();
      return listCalls(db, filter);
    },

    diagnostics() {
      const trouble = writer.trouble();
      if (!trouble) return [];
      const { message, waiting, dropped } = trouble;
      const lost = dropped > 0 ? `; ${dropped} older ones were lost` : '';
      return [
        diagnose('error', 'store-error', `tool calls cannot be recorded: ${message}`, {
          hint: `${waiting} calls are waiting and will be retried${lost}. Check the disk of ZOO_HOME.`,
        }),
      ];
    },

    async close() {
      clearInterval(pruning);
      await writer.close();
    },
  };
}

async function listCalls(
  db: Database,
  { agent, tool, client, failed: onlyFailed, since, after, before, limit = 50 }: ActivityFilter,
): Promise<ToolCallRecord[]> {
  const where: string[] = [];
  const params: SqlValue[] = [];
  const and = (clause: string, ...values: SqlValue[]): void => {
    where.push(clause);
    params.push(...values);
  };
  if (agent !== undefined) and('agent_id = ?', agent);
  if (tool !== undefined) and('(tool = ? OR display_name = ?)', tool, tool);
  if (client !== undefined) and('client = ?', client);
  if (onlyFailed !== undefined) and(onlyFailed ? "outcome = 'failed'" : "outcome <> 'failed'");
  if (since !== undefined) and('at >= ?', instant(since));
  if (after !== undefined) and('seq > ?', after);
  if (before !== undefined) and('seq < ?', before);
  const filter = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
  const order = after === undefined ? 'DESC' : 'ASC';
  const sql = `SELECT * FROM tool_calls ${filter} ORDER BY seq ${order} LIMIT ?`;
  return (await db.all(sql, [...params, limit])).map(toRecord);
}

function failed(code: string, message: string): Ending {
  return { outcome: 'failed', code, message };
}

function endingOf(error: unknown, signal: AbortSignal): Ending {
  if (error instanceof ZooError) {
    if (error.details?.asked === true) return { outcome: 'asked', code: null, message: null };
    return failed(error.code, error.message);
  }
  if (signal.aborted) return { outcome: 'cancelled', code: null, message: null };
  return failed('internal', messageOf(error));
}

function textOf({ content }: ToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function instant(text: string): string {
  const at = new Date(text);
  if (!Number.isNaN(at.getTime())) return at.toISOString();
  throw new ZooError(
    'invalid_arguments',
    `since: '${text}' is not a valid time; use for example 2026-11-15T08:20:00Z`,
  );
}

function toRow(
  { at, context, tool, args, durationMs, ending }: Note,
  secrets: readonly string[],
): SqlValue[] {
  return [
    at.toISOString(),
    callerName(context),
    context.surface,
    context.clientName === undefined ? null : maskText(context.clientName, secrets).slice(0, LONGEST_NAME),
    context.agent,
    context.workspace,
    // For a missing tool, the name is arbitrary text from the caller.
    maskText(tool.name, secrets).slice(0, LONGEST_NAME),
    maskText(tool.displayName, secrets).slice(0, LONGEST_NAME),
    maskArguments(args, secrets),
    durationMs,
    ending.outcome,
    ending.code,
    ending.message === null ? null : maskText(ending.message, secrets).slice(0, LONGEST_MESSAGE),
  ];
}

function toRecord(row: Row): ToolCallRecord {
  const text = (value: SqlValue | undefined): string | null =>
    value === null || value === undefined ? null : String(value);
  return {
    seq: Number(row.seq),
    at: String(row.at),
    caller: String(row.caller),
    surface: String(row.surface),
    client: text(row.client),
    agentId: text(row.agent_id),
    workspace: String(row.workspace),
    tool: String(row.tool),
    displayName: String(row.display_name),
    arguments: String(row.arguments),
    durationMs: Number(row.duration_ms),
    outcome: CallOutcome.parse(row.outcome),
    code: text(row.code),
    message: text(row.message),
  };
}
