import { ZooError } from '../../contract/errors.ts';

/** The maximum or actual cost of a request. */
export interface Amount {
  tokens: number;
  /** Zero where no price is known: then only tokens count. */
  usd: number;
}

/** Absent limits are not limited. */
export interface BudgetLimit {
  tokens?: number | undefined;
  usd?: number | undefined;
}

/** Money and tokens that are reserved before a request, and settled with its actual cost. */
export interface Reservation {
  settle(used: Amount): void;
}

/**
 * The budget of a run, including the runs that its tools start: those reserve from their own budget and from
 * this one. The next request is refused; the one under way is never cut off for its price.
 */
export interface RunBudget {
  reserve(estimate: Amount): Reservation;
  /** The remaining budget; absent limits stay absent. */
  remaining(): BudgetLimit;
  spent(): Amount;
  /** A budget inside this one. What it had spent already is part of what this one has spent. */
  within(limit: BudgetLimit, already?: Amount): RunBudget;
}

export function createRunBudget(limit: BudgetLimit, already: Amount = { tokens: 0, usd: 0 }): RunBudget {
  return createBudget(limit, already, null);
}

function createBudget(limit: BudgetLimit, already: Amount, parent: RunBudget | null): RunBudget {
  const spent = { ...already };
  const reserved = { tokens: 0, usd: 0 };

  const left = (kind: 'tokens' | 'usd') => {
    const most = limit[kind];
    return most === undefined ? undefined : Math.max(0, most - spent[kind] - reserved[kind]);
  };

  return {
    reserve(estimate) {
      for (const kind of ['tokens', 'usd'] as const) {
        const most = limit[kind];
        if (most !== undefined && estimate[kind] > (left(kind) ?? 0))
          throw exceeded(kind, { most, spent: spent[kind], next: estimate[kind] });
      }
      const above = parent?.reserve(estimate);
      reserved.tokens += estimate.tokens;
      reserved.usd += estimate.usd;
      let open = true;
      return {
        settle(used) {
          if (!open) return;
          open = false;
          reserved.tokens -= estimate.tokens;
          reserved.usd -= estimate.usd;
          spent.tokens += used.tokens;
          spent.usd += used.usd;
          above?.settle(used);
        },
      };
    },
    remaining() {
      const above = parent?.remaining() ?? {};
      return { tokens: least(left('tokens'), above.tokens), usd: least(left('usd'), above.usd) };
    },
    spent: () => ({ ...spent }),
    within(inner, before = { tokens: 0, usd: 0 }) {
      return createBudget(inner, before, this);
    },
  };
}

export function least(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}

function exceeded(
  kind: 'tokens' | 'usd',
  { most, spent, next }: { most: number; spent: number; next: number },
): ZooError {
  const text = (amount: number) => renderAmount(kind, amount);
  return new ZooError(
    'budget_exceeded',
    `The next request (up to ${text(next)}) would exceed the budget of this run (${text(most)}; ${text(spent)} spent so far). Raise [budget] run in your config.`,
    { kind, limit: most, spent },
  );
}

/** Fractions of a cent matter where a request costs one. */
export function renderAmount(kind: 'tokens' | 'usd', amount: number): string {
  if (kind === 'tokens') return `${amount.toLocaleString('en')} tokens`;
  return `$${amount.toFixed(amount === 0 || amount >= 1 ? 2 : 4)}`;
}
