import { createHash } from 'node:crypto';

/** How a server is reached. Variables are filled in, so it may hold secrets. */
export type Launch = {
  /** Values of its variables that must never be shown. */
  secrets: readonly string[];
} & (
  | {
      kind: 'stdio';
      command: string;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
      cwd: string;
    }
  | { kind: 'http'; url: string; headers: Readonly<Record<string, string>> }
);

/** An approved `[tools.mcp.NAME]`. */
export interface Upstream {
  /** The workspace whose config has it; null for the user's own config. */
  owner: string | null;
  name: string;
  launch: Launch;
  /** The hash of the launch; entries with the same hash share a server. */
  hash: string;
  /** Whether all callers share one process, or each client gets its own. */
  shared: boolean;
  /** The server is stopped after this time without a call. */
  idleMs: number;
  /** How long a call may take without progress. */
  timeoutMs: number;
  /** Whether changed and new tools are held back until they are accepted. */
  pin: boolean;
  /** Variables that its config uses and that are not set. */
  missing: readonly string[];
}

/** Equal for equal commands, arguments, environments and folders, or equal URLs and headers. */
export function hashLaunch(launch: Launch): string {
  const parts =
    launch.kind === 'stdio'
      ? [launch.kind, launch.command, launch.args, sorted(launch.env), launch.cwd]
      : [launch.kind, launch.url, sorted(launch.headers)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

const sorted = (table: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(table).toSorted(([a], [b]) => (a < b ? -1 : 1));
