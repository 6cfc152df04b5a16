import type { Transaction } from './database.ts';

/** Records that a token (by id) or an approval (by path) was revoked, so that no backup brings it back. */
export async function recordRevocation(
  tx: Transaction,
  kind: 'token' | 'trust',
  id: string,
  at: Date,
): Promise<void> {
  await tx.run(
    'INSERT INTO revocations (kind, id, at) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET at = excluded.at',
    [kind, id, at.toISOString()],
  );
}
