import { randomUUID } from 'node:crypto';
import { hashAgentToken, mintMemberToken } from '../platform/home/access.ts';
import type { Database, Row, Statement } from '../platform/store/database.ts';

/** The member that a token belongs to. */
interface TokenHolder {
  tokenId: string;
  teamId: string;
  memberId: string;
}

/** The secrets that identify members, stored as hashes. A member has one at a time. */
export interface MemberTokens {
  /** A new token for the member; its previous token becomes invalid. */
  mintToken(teamId: string, memberId: string): Promise<string>;
  dropToken(memberId: string): Promise<void>;
  holder(token: string): Promise<TokenHolder | null>;
  /** Called with the id of each token that becomes invalid. Returns a function that unsubscribes. */
  onTokenDropped(listener: (tokenId: string) => void): () => void;
}

export function createMemberTokens(db: Database): MemberTokens {
  const listeners = new Set<(tokenId: string) => void>();
  const remove = (memberId: string): Statement => ({
    sql: 'DELETE FROM member_tokens WHERE member_id = ? RETURNING id',
    params: [memberId],
  });
  const announce = (dropped: Row | undefined): void => {
    if (dropped) for (const listener of listeners) listener(String(dropped.id));
  };
  return {
    async mintToken(teamId, memberId) {
      const { token, hash } = mintMemberToken();
      const insert = {
        sql: 'INSERT INTO member_tokens (hash, id, team_id, member_id) VALUES (?, ?, ?, ?)',
        params: [hash, randomUUID(), teamId, memberId],
      };
      const [dropped] = await db.write([remove(memberId), insert]);
      announce(dropped);
      return token;
    },
    async dropToken(memberId) {
      const [dropped] = await db.write([remove(memberId)]);
      announce(dropped);
    },
    async holder(token) {
      const row = await db.one('SELECT * FROM member_tokens WHERE hash = ?', [hashAgentToken(token)]);
      if (!row) return null;
      return { tokenId: String(row.id), teamId: String(row.team_id), memberId: String(row.member_id) };
    },
    onTokenDropped(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
