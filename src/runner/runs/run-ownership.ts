import { ZooError } from '../../contract/errors.ts';
import type { Database, Statement } from '../../platform/store/database.ts';
import { createLeases, deleteLeaseStatement, type Lease } from '../../platform/store/leases.ts';

const KIND = 'run';
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** Poll interval for cancel requests from other processes. */
const LOOK_MS = 1_000;

export interface RunOwnershipOptions {
  db: Database;
  /** The same after a restart of the same hub, which then gets its runs back at once. */
  owner: string;
  now: () => Date;
  onLost(runId: string): void;
  onCancelRequested(runId: string): void;
  onError(message: string, error: unknown): void;
}

/** A run belongs to the process that holds its lease, and only that one writes to it. */
export interface RunOwnership {
  /** For a run that does not exist yet: `create` stores it with its lease, or fails and stores neither. */
  claimNew<T>(runId: string, create: (lease: Lease) => Promise<T>): Promise<T>;
  /** Null while another process works on the run. */
  claim(runId: string): Promise<Lease | null>;
  /** No longer renews it. The statement removes the row with the last write of the run, which is never claimed again. */
  finish(lease: Lease): Statement;
  /** `finished` removes the row, so that the run is never claimed again. */
  release(lease: Lease, finished: boolean): Promise<void>;
  /** Whether another process works on the run. */
  isHeldElsewhere(runId: string): Promise<boolean>;
  close(): void;
}

export function createRunOwnership(options: RunOwnershipOptions): RunOwnership {
  const { db, owner, now, onLost, onCancelRequested, onError } = options;
  const leases = createLeases(db, () => now().getTime());
  const held = new Map<string, Lease>();
  const claiming = new Set<string>();
  let seen = -1;

  async function renew(): Promise<void> {
    for (const lease of held.values()) {
      const renewed = await leases.renew(lease, LEASE_MS);
      if (held.get(lease.id) !== lease) continue;
      if (renewed) held.set(lease.id, renewed);
      else {
        held.delete(lease.id);
        onLost(lease.id);
      }
    }
  }
  async function look(): Promise<void> {
    if (held.size === 0 || seen === db.version()) return;
    seen = db.version();
    const rows = await db.all(
      "SELECT id FROM runs WHERE cancel_requested > 0 AND state IN ('queued', 'running', 'waiting')",
    );
    for (const { id } of rows) if (held.has(String(id))) onCancelRequested(String(id));
  }
  const every = (ms: number, work: () => Promise<void>): NodeJS.Timeout =>
    setInterval(() => {
      work().catch((error: unknown) => onError('leases of runs could not be kept', error));
    }, ms).unref();
  const timers = [every(RENEW_MS, renew), every(LOOK_MS, look)];

  return {
    async claimNew(runId, create) {
      if (held.has(runId)) throw new ZooError('conflict', `Run '${runId}' is under way.`, { run: runId });
      const expiresAt = now().getTime() + LEASE_MS;
      const lease = { kind: KIND, id: runId, owner, fence: 1, expiresAt };
      held.set(runId, lease);
      try {
        return await create(lease);
      } catch (error) {
        // Never stored: a row with this id belongs to another run.
        held.delete(runId);
        throw error;
      }
    },
    async claim(runId) {
      // The row says the same of this process and of the one before it, which is why its lease is granted again.
      if (held.has(runId) || claiming.has(runId)) return null;
      claiming.add(runId);
      try {
        const lease = await leases.acquire(KIND, runId, owner, LEASE_MS);
        if (lease) held.set(runId, lease);
        return lease;
      } finally {
        claiming.delete(runId);
      }
    },
    finish(lease) {
      held.delete(lease.id);
      return deleteLeaseStatement(lease);
    },
    async release(lease, finished) {
      held.delete(lease.id);
      if (finished) await leases.forget(KIND, lease.id);
      else await leases.release(lease);
    },
    async isHeldElsewhere(runId) {
      const row = await db.one('SELECT owner, expires_at FROM leases WHERE kind = ? AND id = ?', [
        KIND,
        runId,
      ]);
      return (
        row !== undefined &&
        row.owner !== null &&
        row.owner !== owner &&
        Number(row.expires_at) > now().getTime()
      );
    },
    close: () => timers.forEach((timer) => clearInterval(timer)),
  };
}
