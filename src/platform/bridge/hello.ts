/** The handshake on the socket: one line each way before the protocol starts. Parsed by hand, since bridges carry no schema library. */

/** The protocol that a client speaks through a bridge. */
export type BridgeProtocol = 'mcp' | 'acp';

/** The first line from a bridge. */
export interface Hello {
  token: string;
  /** The folder whose agents it sees, as an absolute path. */
  workspace: string;
  /** The one agent that it serves. */
  agent?: string;
  /** `mcp` by default. */
  protocol?: BridgeProtocol;
  version: string;
  pid: number;
  /** Asks the hub to exit instead, so that a newer version can replace it. */
  stop?: true;
}

/** The hub's response. */
export type Welcome =
  | {
      ok: true;
      version: string;
      pid: number;
      /** Whether a bridge started this hub, so that a bridge may replace it. */
      untilIdle: boolean;
    }
  | { error: { code: string; message: string } };

/** Sent by a hub that was asked to stop. Never forwarded to a client. */
export const STOPPING = 'zoo/stopping';

export function parseHello(line: string): Hello | null {
  const value = parseObject(line);
  if (!value) return null;
  const { token, workspace, agent, protocol, version, pid, stop } = value;
  if (typeof token !== 'string' || typeof workspace !== 'string') return null;
  if (typeof version !== 'string' || typeof pid !== 'number') return null;
  if (agent !== undefined && typeof agent !== 'string') return null;
  if (protocol !== undefined && protocol !== 'mcp' && protocol !== 'acp') return null;
  return {
    token,
    workspace,
    version,
    pid,
    ...(agent === undefined ? {} : { agent }),
    ...(protocol === undefined ? {} : { protocol }),
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
