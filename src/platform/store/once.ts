import * as z from 'zod';
import { type CallContext, callerKey } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Transaction } from './database.ts';
import { readStored } from './stored-json.ts';

/** How long a write can be repeated under its key; longer than any client retries. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Runs the write of a call in its transaction. With an idempotency key it runs once: a repeated write returns the
 * first result and changes nothing. Each call makes one write.
 */
export async function once<T>(
  tx: Transaction,
  context: CallContext,
  at: string,
  work: () => Promise<T>,
): Promise<T>;
export async function once(
  tx: Transaction,
  context: CallContext,
  at: string,
  work: () => Promise<unknown>,
): Promise<unknown> {
  if (context.idempotencyKey === undefined) return work();
  // Keys are per token, workspace and agent, so that no caller gets another caller's result.
  const { caller, workspace, agent, idempotencyKey, requestHash = '' } = context;
  const key = `${callerKey(caller)} ${workspace} ${agent ?? ''} ${idempotencyKey}`;
  const done = await tx.one('SELECT value, request FROM done_writes WHERE key = ?', [key]);
  if (done && done.request !== requestHash) {
    throw new ZooError(
      'conflict',
      'This idempotency key was used for another request. Use a new key for each write.',
    );
  }
  if (done) return readStored(z.unknown(), done.value);
  const value = await work();
  await tx.run('INSERT INTO done_writes (key, value, at, request) VALUES (?, ?, ?, ?)', [
    key,
    JSON.stringify(value),
    at,
    requestHash,
  ]);
  return value;
}

export async function forgetOldKeys(tx: Transaction, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS).toISOString();
  await tx.run('DELETE FROM done_writes WHERE at < ?', [before]);
}
