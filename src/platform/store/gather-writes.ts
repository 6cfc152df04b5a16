import type { Database, Statement } from './database.ts';
import type { Batch, BatchOutcome } from './sqlite-messages.ts';

/** The thread is busy with one group meanwhile. */
const MOST_IN_GROUP = 100;

interface Waiting {
  statements: readonly Statement[];
  resolve(rows: Awaited<ReturnType<Database['write']>>): void;
  reject(error: unknown): void;
}

export interface GatheredWrites {
  write: Database['write'];
  /** Later writes come after whatever is queued next. */
  closeGroup(): void;
}

/** Sends the writes that wait for their turn at the same time as one group, which is one message and one commit. */
export function gatherWrites(
  exclusively: (work: () => Promise<void>) => Promise<void>,
  send: (batches: readonly Batch[]) => Promise<BatchOutcome[]>,
): GatheredWrites {
  let open: Waiting[] | null = null;

  async function sendGroup(group: readonly Waiting[]): Promise<void> {
    if (open === group) open = null;
    const outcomes = await send(group.map(({ statements }) => toBatch(statements)));
    for (const [index, waiting] of group.entries()) settle(waiting, outcomes[index]);
  }

  return {
    write: (statements) =>
      new Promise((resolve, reject) => {
        const waiting = { statements, resolve, reject };
        if (open && open.length < MOST_IN_GROUP) {
          open.push(waiting);
          return;
        }
        const group = [waiting];
        exclusively(() => sendGroup(group)).catch((error: unknown) => {
          if (open === group) open = null;
          for (const each of group) each.reject(error);
        });
        open = group;
      }),
    closeGroup() {
      open = null;
    },
  };
}

const toBatch = (statements: readonly Statement[]): Batch =>
  statements.map(({ sql, params = [], orElse }) => ({ sql, params, needsRow: orElse !== undefined }));

function settle({ statements, resolve, reject }: Waiting, outcome: BatchOutcome | undefined): void {
  if (!outcome) reject(new Error('the database did not answer a write'));
  else if ('rows' in outcome) resolve(outcome.rows);
  else if ('error' in outcome) reject(new Error(outcome.error));
  else reject(statements[outcome.refusedAt]?.orElse?.());
}
