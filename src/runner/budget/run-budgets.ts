import { type Amount, type BudgetLimit, createRunBudget, least, type RunBudget } from './budget.ts';

/** Budgets of the active runs in this process; a nested run spends from its own and its parent's. */
export interface RunBudgets {
  /** `caller` is what the calling run had left when it started this one; it applies if that run is in another process. */
  open(run: OpenBudget): RunBudget;
  close(runId: string): void;
}

export interface OpenBudget {
  runId: string;
  parent: string | null;
  limit: BudgetLimit;
  caller: BudgetLimit;
  /** Spending before a restart, nested runs included. */
  already: Amount;
}

export function createRunBudgets(): RunBudgets {
  const budgets = new Map<string, RunBudget>();
  return {
    open({ runId, parent, limit, caller, already }) {
      const most = { tokens: least(limit.tokens, caller.tokens), usd: least(limit.usd, caller.usd) };
      const above = parent === null ? undefined : budgets.get(parent);
      const budget = above ? above.within(most, already) : createRunBudget(most, already);
      budgets.set(runId, budget);
      return budget;
    },
    close: (runId) => void budgets.delete(runId),
  };
}
