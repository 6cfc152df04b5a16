import type { Database } from '../../platform/store/database.ts';
import type { ServerLists, ServerTool } from './connection/link.ts';
import type { Upstream } from './upstream.ts';

/** A tool that differs from the version that was accepted or last used. */
export interface ToolChange {
  tool: string;
  /** The accepted definition as JSON; null for a new tool. */
  before: string | null;
  after: string;
}

export type ToolChanges = ReadonlyMap<string, ToolChange>;

/**
 * The tools of upstream servers as the user knows them. A server can change the description of a tool at any time,
 * and with it what models do. The first version of a tool is taken as it is; later ones are marked, and held back
 * where the config says `pin = true`, as are new tools there.
 */
export interface AcceptedTools {
  /** By tool; the same map while nothing has changed. */
  changes(upstream: Upstream, lists: ServerLists): Promise<ToolChanges>;
  /** The last answer of `changes`. */
  peek(upstream: Upstream): ToolChanges;
  /** Accepts tools as they are now: one, or all that have changed. Returns what was accepted. */
  accept(upstream: Upstream, lists: ServerLists, tool?: string): Promise<ToolChange[]>;
  /** Without `pin`, using a tool accepts it. Never rejects: a failed write is reported, and the call continues. */
  used(upstream: Upstream, lists: ServerLists, tool: string): Promise<void>;
}

interface Answer {
  lists: ServerLists;
  pin: boolean;
  changes: ToolChanges;
}

const NONE: ToolChanges = new Map();

export function createAcceptedTools(
  db: Database,
  options: { now(): Date; onError(message: string, error: unknown): void },
): AcceptedTools {
  const accepted = new Map<string, Promise<Map<string, string>>>();
  const answers = new Map<string, Answer>();

  function load(upstream: Upstream): Promise<Map<string, string>> {
    const key = keyOf(upstream);
    const known = accepted.get(key);
    if (known) return known;
    const loading = read(upstream);
    accepted.set(key, loading);
    loading.catch(() => accepted.delete(key));
    return loading;
  }

  async function read({ owner, name }: Upstream): Promise<Map<string, string>> {
    const sql = 'SELECT tool, definition FROM accepted_tools WHERE owner = ? AND server = ?';
    const rows = await db.all(sql, [owner ?? '', name]);
    return new Map(rows.map((row) => [String(row.tool), String(row.definition)]));
  }

  async function save(upstream: Upstream, tools: readonly ToolChange[]): Promise<void> {
    if (tools.length === 0) return;
    const known = await load(upstream);
    const at = options.now().toISOString();
    await db.transaction(async (tx) => {
      for (const { tool, after } of tools) {
        await tx.run(
          `INSERT INTO accepted_tools (owner, server, tool, definition, at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (owner, server, tool) DO UPDATE SET definition = excluded.definition, at = excluded.at`,
          [upstream.owner ?? '', upstream.name, tool, after, at],
        );
      }
    });
    for (const { tool, after } of tools) known.set(tool, after);
    answers.delete(keyOf(upstream));
  }

  async function changes(upstream: Upstream, lists: ServerLists): Promise<ToolChanges> {
    const key = keyOf(upstream);
    const last = answers.get(key);
    if (last?.lists === lists && last.pin === upstream.pin) return last.changes;
    const known = await load(upstream);
    const isNew = ({ before }: ToolChange): boolean => before === null && (!upstream.pin || known.size === 0);
    await save(upstream, changedTools(lists, known).filter(isNew));
    // Compared after the write: other tools may have been accepted meanwhile.
    const found = new Map(changedTools(lists, known).map((each) => [each.tool, each]));
    const answer = { lists, pin: upstream.pin, changes: found.size === 0 ? NONE : found };
    answers.set(key, answer);
    return answer.changes;
  }

  return {
    changes,
    peek: (upstream) => answers.get(keyOf(upstream))?.changes ?? NONE,
    async accept(upstream, lists, tool) {
      const found = [...(await changes(upstream, lists)).values()];
      const meant = tool === undefined ? found : found.filter((each) => each.tool === tool);
      await save(upstream, meant);
      return meant;
    },
    async used(upstream, lists, tool) {
      const change = answers.get(keyOf(upstream))?.changes.get(tool);
      if (!change || upstream.pin) return;
      try {
        await save(upstream, [change]);
        await changes(upstream, lists);
      } catch (error) {
        options.onError('the use of a changed tool could not be stored', error);
      }
    },
  };
}

const keyOf = ({ owner, name }: Upstream): string => `${owner ?? ''}\0${name}`;

function changedTools({ tools }: ServerLists, known: ReadonlyMap<string, string>): ToolChange[] {
  return tools.map((tool) => toChange(tool, known)).filter((each) => each !== null);
}

function toChange(tool: ServerTool, known: ReadonlyMap<string, string>): ToolChange | null {
  const after = definitionOf(tool);
  const before = known.get(tool.name) ?? null;
  return before === after ? null : { tool: tool.name, before, after };
}

/** Everything that a model reads of a tool. */
function definitionOf({ title, description, inputSchema, outputSchema, annotations }: ServerTool): string {
  return JSON.stringify({ title, description, inputSchema, outputSchema, annotations });
}
