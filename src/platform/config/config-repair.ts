import type { z } from 'zod';
import { Config, InlineAgent, NAMED_TABLES, RESERVED_AGENT_TABLES } from '../../contract/config.ts';
import type { DiagnosticCode, Severity } from '../../contract/diagnostic.ts';
import { describeIssue, pathOf, renderPath, valueAt } from '../../contract/parsing/issue-words.ts';
import { type KeyPath, knownKeys, suggestKey } from '../../contract/parsing/known-keys.ts';

/** A diagnostic whose line is not known yet. */
export interface Problem {
  severity: Severity;
  code: DiagnosticCode;
  path: KeyPath;
  message: string;
  hint: string;
  agentId: string | null;
}

export type Table = Record<string, unknown>;

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Repaired {
  config: Config;
  problems: Problem[];
  failedAgents: string[];
  /** Scripts and modules that were written as `[agents.NAME]`. */
  moved: ReadonlySet<string>;
}

/** Removes invalid parts from `raw`, in place, and keeps the rest. */
export function repairConfig(raw: Table): Repaired {
  const { problems, moved } = sortAgents(raw);
  const failed = new Set<string>();
  for (;;) {
    // Compiled parsers only pay off for many values.
    const result = Config.safeParse(raw, { jitless: true });
    if (result.success) return { config: result.data, problems, failedAgents: [...failed], moved };
    let removed = false;
    // Described before anything is removed, so that messages can show the given value.
    const found = result.error.issues.flatMap((issue) => problemsOf(issue, raw));
    for (const { problem, drop } of found) {
      problems.push(problem);
      if (problem.code === 'invalid-value' && problem.agentId !== null) failed.add(problem.agentId);
      removed = remove(raw, drop) || removed;
    }
    if (!removed) return { config: {}, problems, failedAgents: [...failed], moved };
  }
}

function problemsOf(issue: z.core.$ZodIssue, raw: Table): { problem: Problem; drop: KeyPath }[] {
  const path = pathOf(issue);
  const entry = entryOf(path);
  const agentId = entry && agentOf(entry);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(Config, path);
    return issue.keys.map((key) => ({
      problem: {
        severity: 'warning',
        code: 'unknown-key',
        path: [...path, key],
        message: `unknown key ${renderPath([...path, key])}; it is ignored`,
        hint: suggestKey(key, known),
        agentId,
      },
      drop: [...path, key],
    }));
  }
  const drop = entry ?? keyOf(path, raw);
  return [
    {
      problem: {
        severity: 'error',
        code: 'invalid-value',
        path,
        message: describeIssue(issue, { root: raw, notation: 'toml' }),
        hint: entry
          ? `${renderPath(entry)} is ignored until this is fixed; everything else is used.`
          : `${renderPath(drop)} is ignored and its default is used.`,
        agentId,
      },
      drop,
    },
  ];
}

const tablesByDepth = NAMED_TABLES.map((table) => table.split('.')).toSorted((a, b) => b.length - a.length);

/** The entry of a named table that a path is in; null outside of them. */
function entryOf(path: KeyPath): KeyPath | null {
  const table = tablesByDepth.find((one) => one.every((key, index) => path[index] === key));
  if (!table || path.length <= table.length) return null;
  const entry = path.slice(0, table.length + 1);
  return tablesByDepth.some((one) => renderPath(one) === renderPath(entry)) ? null : entry;
}

function agentOf(entry: KeyPath): string | null {
  return entry[0] === 'agents' ? String(entry.at(-1)) : null;
}

/** What to remove for an invalid value: whole keys, since a list without one of its items has another meaning. */
function keyOf(path: KeyPath, raw: Table): KeyPath {
  const item = path.findIndex((part) => typeof part === 'number');
  const key = item === -1 ? path : path.slice(0, item);
  return key.length > 1 && valueAt(raw, key) === undefined ? key.slice(0, -1) : key;
}

function remove(raw: Table, path: KeyPath): boolean {
  const parent = valueAt(raw, path.slice(0, -1));
  const key = path.at(-1);
  if (typeof parent !== 'object' || parent === null || key === undefined || !Object.hasOwn(parent, key))
    return false;
  return Reflect.deleteProperty(parent, key);
}

const scriptTables = [
  { table: 'script', extensions: /\.lua$/i },
  { table: 'module', extensions: /\.[cm]?[jt]s$/i },
];

/**
 * Moves `[agents.NAME]` with a `path` to the scripts or modules (seed 002 §2), and detects misspelt tables such as
 * `[agents.scripts.x]`.
 */
function sortAgents(raw: Table): { problems: Problem[]; moved: Set<string> } {
  const agents = raw.agents;
  const problems: Problem[] = [];
  const moved = new Set<string>();
  if (!isTable(agents)) return { problems, moved };
  const known = knownKeys(InlineAgent, []);
  for (const [name, entry] of Object.entries(agents)) {
    if (RESERVED_AGENT_TABLES.some((table) => table === name) || !isTable(entry)) continue;
    const values = Object.entries(entry);
    if (values.length > 0 && values.every(([key, value]) => isTable(value) && !known.includes(key))) {
      problems.push({
        severity: 'warning',
        code: 'unknown-key',
        path: ['agents', name],
        message: `unknown table ${renderPath(['agents', name])}; it is ignored`,
        hint: suggestKey(name, RESERVED_AGENT_TABLES),
        agentId: null,
      });
      delete agents[name];
      continue;
    }
    if (typeof entry.path !== 'string' || entry.system_prompt !== undefined) continue;
    const { path } = entry;
    const table = scriptTables.find(({ extensions }) => extensions.test(path))?.table;
    if (!table) continue;
    const scripts = (agents[table] ??= {});
    if (!isTable(scripts)) continue;
    if (Object.hasOwn(scripts, name)) {
      problems.push({
        severity: 'warning',
        code: 'duplicate-id',
        path: ['agents', name],
        message: `${renderPath(['agents', name])} and ${renderPath(['agents', table, name])} are the same agent; the first is ignored`,
        hint: 'Keep one of them.',
        agentId: name,
      });
    } else {
      scripts[name] = entry;
      moved.add(name);
    }
    delete agents[name];
  }
  return { problems, moved };
}
