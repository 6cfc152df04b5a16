import { randomUUID } from 'node:crypto';
import { hashAgentToken, mintMemberToken } from '../platform/home/access.ts';
import type { Database, Row, Transaction } from '../platform/store/database.ts';

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
  const remove = (tx: Transaction, memberId: string): Promise<Row[]> =>
    tx.all('DELETE FROM member_tokens WHERE member_id = ? RETURNING id', [memberId]);
  const announce = (dropped: readonly Row[]): void => {
    for (const { id } of dropped) for (const listener of listeners) listener(String(id));
  };
  return {
    async mintToken(teamId, memberId) {
      const { token, hash } = mintMemberToken();
      const dropped = await db.transaction(async (tx) => {
        const insert = 'INSERT INTO member_tokens (hash, id, team_id, member_id) VALUES (?, ?, ?, ?)';
        const earlier = remove(tx, memberId);
        const stored = tx.run(insert, [hash, randomUUID(), teamId, memberId]);
        tx.finish();
        await stored;
        return earlier;
      });
      announce(dropped);
      return token;
    },
    async dropToken(memberId) {
      announce(await db.transaction((tx) => remove(tx, memberId)));
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
