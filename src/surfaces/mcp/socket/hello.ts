/** What is said on the socket before the protocol begins: one line each way. Bridges have no schema library. */

/** The first line from a bridge. */
export interface Hello {
  token: string;
  /** The folder whose agents it sees; absolute. */
  workspace: string;
  /** The one agent that it serves. */
  agent?: string;
  version: string;
  pid: number;
  /** Instead of a connection: the hub is to end, since a newer one is to take its place. */
  stop?: true;
}

/** The line that it is answered with. */
export type Welcome =
  | {
      ok: true;
      version: string;
      pid: number;
      /** Whether a bridge started this hub, so that a bridge may replace it. */
      untilIdle: boolean;
    }
  | { error: { code: string; message: string } };

/** The last word of a hub that ends because somebody wanted it to. Never passed on to a client. */
export const STOPPING = 'zoo/stopping';

export function parseHello(line: string): Hello | null {
  const value = parseObject(line);
  if (!value) return null;
  const { token, workspace, agent, version, pid, stop } = value;
  if (typeof token !== 'string' || typeof workspace !== 'string') return null;
  if (typeof version !== 'string' || typeof pid !== 'number') return null;
  if (agent !== undefined && typeof agent !== 'string') return null;
  return {
    token,
    workspace,
    version,
    pid,
    ...(agent === undefined ? {} : { agent }),
    ...(stop === true ? { stop } : {}),
  };
}

export function parseWelcome(line: string): Welcome | null {
  const value = parseObject(line);
  if (!value) return null;
  const { ok, version, pid, untilIdle, error } = value;
  if (ok === true && typeof version === 'string' && typeof pid === 'number') {
    return { ok, version, pid, untilIdle: untilIdle === true };
  }
  if (typeof error !== 'object' || error === null || !('code' in error && 'message' in error)) return null;
  return { error: { code: String(error.code), message: String(error.message) } };
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
