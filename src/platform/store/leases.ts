import { ZooError } from '../../contract/errors.ts';
import type { Database, Reader, Row, Statement, Transaction } from './database.ts';

/** The right to work on one thing, until it expires. A later holder has a higher fencing number. */
export interface Lease {
  /** Such as `run`, `job` or `turn`. */
  kind: string;
  id: string;
  /** The process that holds it. */
  owner: string;
  fence: number;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

/** Ownership as rows: whatever must happen once is done by the process that holds its lease. */
export interface Leases {
  /** Null while another owner holds it. The same owner gets it again, with a new fencing number. */
  acquire(kind: string, id: string, owner: string, forMs: number): Promise<Lease | null>;
  /** Null once it was lost: expired and taken over, or released. */
  renew(lease: Lease, forMs: number): Promise<Lease | null>;
  /** Does nothing once it was lost. */
  release(lease: Lease): Promise<void>;
  /** Expired leases: their owners are dead or stuck, and others may acquire them. */
  expired(kind: string): Promise<Lease[]>;
  /** Removes the row of something that is finished for good. */
  forget(kind: string, id: string): Promise<void>;
}

export function createLeases(db: Database, now: () => number): Leases {
  return {
    acquire: (kind, id, owner, forMs) =>
      db.transaction(async (tx) => {
        const row = await tx.one('SELECT * FROM leases WHERE kind = ? AND id = ?', [kind, id]);
        const held = row && row.owner !== null && row.owner !== owner && Number(row.expires_at) > now();
        if (held) return null;
        const lease = { kind, id, owner, fence: Number(row?.fence ?? 0) + 1, expiresAt: now() + forMs };
        await tx.run(
          `INSERT INTO leases (kind, id, owner, fence, expires_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (kind, id) DO UPDATE SET owner = excluded.owner, fence = excluded.fence, expires_at = excluded.expires_at`,
          [kind, id, owner, lease.fence, lease.expiresAt],
        );
        return lease;
      }),

    async renew(lease, forMs) {
      const expiresAt = now() + forMs;
      const { kind, id, owner, fence } = lease;
      const sql =
        'UPDATE leases SET expires_at = ? WHERE kind = ? AND id = ? AND owner = ? AND fence = ? RETURNING fence';
      const [row] = await db.write([{ sql, params: [expiresAt, kind, id, owner, fence] }]);
      return row ? { ...lease, expiresAt } : null;
    },

    async release({ kind, id, owner, fence }) {
      const sql =
        'UPDATE leases SET owner = NULL, expires_at = 0 WHERE kind = ? AND id = ? AND owner = ? AND fence = ?';
      await db.write([{ sql, params: [kind, id, owner, fence] }]);
    },

    async expired(kind) {
      const rows = await db.all(
        'SELECT * FROM leases WHERE kind = ? AND owner IS NOT NULL AND expires_at <= ? ORDER BY expires_at',
        [kind, now()],
      );
      return rows.map(toLease);
    },

    async forget(kind, id) {
      await db.write([deleteLeaseStatement({ kind, id })]);
    },
  };
}

/** Stores the lease of something that is created in the same transaction, so that nobody else can hold it. */
export const insertLeaseStatement = ({ kind, id, owner, fence, expiresAt }: Lease): Statement => ({
  sql: 'INSERT INTO leases (kind, id, owner, fence, expires_at) VALUES (?, ?, ?, ?, ?)',
  params: [kind, id, owner, fence, expiresAt],
});

/** As `requireLease`. */
export const requireLeaseStatement = (lease: Lease): Statement => ({
  sql: 'SELECT 1 FROM leases WHERE kind = ? AND id = ? AND owner = ? AND fence = ?',
  params: [lease.kind, lease.id, lease.owner, lease.fence],
  orElse: () => leaseLost(lease),
});

/** Removes the lease of something that is finished for good, in a write that requires it. */
export const deleteLeaseStatement = ({ kind, id }: Pick<Lease, 'kind' | 'id'>): Statement => ({
  sql: 'DELETE FROM leases WHERE kind = ? AND id = ?',
  params: [kind, id],
});

/**
 * Throws `conflict` unless its owner still holds the lease. Call it first in every write transaction of the holder,
 * so that a stuck process writes nothing after another took over.
 */
export async function requireLease(tx: Transaction | Reader, lease: Lease): Promise<void> {
  const { sql, params = [] } = requireLeaseStatement(lease);
  if (!(await tx.one(sql, params))) throw leaseLost(lease);
}

const leaseLost = ({ kind, id }: Lease): ZooError =>
  new ZooError('conflict', `The lease on ${kind} '${id}' was lost to another process.`, { kind, id });

function toLease(row: Row): Lease {
  return {
    kind: String(row.kind),
    id: String(row.id),
    owner: String(row.owner),
    fence: Number(row.fence),
    expiresAt: Number(row.expires_at),
  };
}
