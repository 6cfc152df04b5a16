import { createHash } from 'node:crypto';

/** How a server is reached. Holds secrets: variables are filled in. */
export type Launch =
  | {
      kind: 'stdio';
      command: string;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
      cwd: string;
    }
  | { kind: 'http'; url: string; headers: Readonly<Record<string, string>> };

/** One `[tools.mcp.NAME]` that may run. */
export interface Upstream {
  /** The workspace whose config names it; null for the user's own. */
  owner: string | null;
  name: string;
  launch: Launch;
  /** Of the launch: two entries that agree in it are one server. */
  hash: string;
  /** Whether all callers share one, or each client gets its own. */
  shared: boolean;
  /** How long it may do nothing before it is stopped. */
  idleMs: number;
  /** How long a call may take without a word. */
  timeoutMs: number;
  /** Variables that its config refers to and that are not set. */
  missing: readonly string[];
}

/** The same for the same command, arguments, environment and folder, or the same address and headers. */
export function hashLaunch(launch: Launch): string {
  const said =
    launch.kind === 'stdio'
      ? [launch.kind, launch.command, launch.args, sorted(launch.env), launch.cwd]
      : [launch.kind, launch.url, sorted(launch.headers)];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

const sorted = (table: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1));
