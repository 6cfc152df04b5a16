import { randomUUID } from 'node:crypto';
import type { AccessToken } from '../../contract/operations/access.ts';
import type { Database, Reader, Row } from '../store/database.ts';
import { recordRevocation } from '../store/revocations.ts';
import { hashAgentToken, mintAgentToken } from './access.ts';

const USED_RESOLUTION_MS = 60_000;

/** Identifies the agent of a token by more than its id: another definition with the same id is another agent. */
export interface TokenBinding {
  agentId: string;
  /** The workspace that the token sees. */
  workspace: string;
  /** The workspace whose file defines the agent; null for agents of the editor and of the user's own config. */
  owner: string | null;
}

/** Tokens that are bound to an agent. The store keeps their hashes. */
export interface AccessTokens {
  list(): Promise<AccessToken[]>;
  create(bound: TokenBinding & Pick<AccessToken, 'label'>): Promise<AccessToken & { token: string }>;
  /** False if there is no such token. */
  revoke(id: string): Promise<boolean>;
  /** Null for an unknown or revoked token. Records the last use, to the minute. */
  find(token: string): Promise<(AccessToken & TokenBinding) | null>;
  /** Called with the id of each token revoked in this process; returns a function that unsubscribes. */
  onRevoked(listener: (id: string) => void): () => void;
}

export function createAccessTokens(db: Database, now: () => Date): AccessTokens {
  const listeners = new Set<(id: string) => void>();
  return {
    async list() {
      return (await db.all('SELECT * FROM access_tokens ORDER BY created_at')).map(toAccessToken);
    },

    async create({ owner, ...bound }) {
      const { token, hash } = mintAgentToken();
      const access = { id: randomUUID(), ...bound, createdAt: now().toISOString(), lastUsedAt: null };
      await db.transaction((tx) =>
        tx.run(
          'INSERT INTO access_tokens (id, hash, agent_id, workspace, owner, label, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
          [access.id, hash, access.agentId, access.workspace, owner ?? '', access.label, access.createdAt],
        ),
      );
      return { ...access, token };
    },

    async revoke(id) {
      const { changes } = await db.transaction(async (tx) => {
        const deleted = await tx.run('DELETE FROM access_tokens WHERE id = ?', [id]);
        if (deleted.changes > 0) await recordRevocation(tx, 'token', id, now());
        return deleted;
      });
      if (changes > 0) for (const listener of listeners) listener(id);
      return changes > 0;
    },

    async find(token) {
      const row = await db.one('SELECT * FROM access_tokens WHERE hash = ?', [hashAgentToken(token)]);
      if (!row) return null;
      const access = toAccessToken(row);
      const usedAt = access.lastUsedAt === null ? 0 : Date.parse(access.lastUsedAt);
      const at = now();
      if (at.getTime() - usedAt > USED_RESOLUTION_MS) {
        await db.transaction((tx) =>
          tx.run('UPDATE access_tokens SET last_used_at = ? WHERE id = ?', [at.toISOString(), access.id]),
        );
      }
      return { ...access, owner: row.owner === '' ? null : String(row.owner) };
    },

    onRevoked(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** False once a token was revoked. */
export async function isKnownToken(db: Reader, id: string): Promise<boolean> {
  return Boolean(await db.one('SELECT 1 FROM access_tokens WHERE id = ?', [id]));
}

function toAccessToken(row: Row): AccessToken {
  return {
    id: String(row.id),
    agentId: String(row.agent_id),
    workspace: String(row.workspace),
    label: String(row.label),
    createdAt: String(row.created_at),
    lastUsedAt: row.last_used_at === null || row.last_used_at === undefined ? null : String(row.last_used_at),
  };
}
