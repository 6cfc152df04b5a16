import { hashAgentToken, isAgentToken, isSession, sameSecret } from '../platform/home/access.ts';
import type { Database } from '../platform/store/database.ts';
import type { Credentials, Identity } from './hub.ts';

const USED_RESOLUTION_MS = 60_000;

/** Who holds these credentials; null when nobody does. */
export async function authenticate(
  db: Database,
  operatorToken: string,
  { token, session }: Credentials,
  now: Date,
): Promise<Identity | null> {
  if (token !== undefined) {
    if (isAgentToken(token)) return bearerOfAgent(db, token, now);
    return sameSecret(token, operatorToken) ? { caller: { kind: 'operator' }, workspace: null } : null;
  }
  if (session !== undefined && isSession(operatorToken, session, now.getTime())) {
    return { caller: { kind: 'operator' }, workspace: null };
  }
  return null;
}

async function bearerOfAgent(db: Database, token: string, now: Date): Promise<Identity | null> {
  const row = await db.one('SELECT * FROM access_tokens WHERE hash = ?', [hashAgentToken(token)]);
  if (!row) return null;
  const usedAt = row.last_used_at === null ? 0 : Date.parse(String(row.last_used_at));
  if (now.getTime() - usedAt > USED_RESOLUTION_MS) {
    await db.transaction((tx) =>
      tx.run('UPDATE access_tokens SET last_used_at = ? WHERE id = ?', [now.toISOString(), row.id ?? null]),
    );
  }
  return {
    caller: { kind: 'agent', agentId: String(row.agent_id), tokenId: String(row.id) },
    workspace: String(row.workspace),
  };
}
