import { describe, expect, it } from 'vitest';
import { createRunBudget } from './budget.ts';

const tokens = (count: number) => ({ tokens: count, usd: 0 });

describe('a budget of a run', () => {
  it('refuses the request that would exceed it, and reports the spent amount', () => {
    const budget = createRunBudget({ tokens: 100 });
    budget.reserve(tokens(60)).settle(tokens(50));
    expect(() => budget.reserve(tokens(51))).toThrow(
      /request \(up to 51 tokens\) would exceed the budget of this run \(100 tokens; 50 tokens spent/,
    );
    expect(budget.remaining()).toEqual({ tokens: 50, usd: undefined });
  });

  it('counts reservations, so that concurrent requests do not exceed it together', () => {
    const budget = createRunBudget({ usd: 1 });
    const first = budget.reserve({ tokens: 0, usd: 0.6 });
    expect(() => budget.reserve({ tokens: 0, usd: 0.6 })).toThrow(/budget/);
    first.settle({ tokens: 0, usd: 0.1 });
    budget.reserve({ tokens: 0, usd: 0.6 });
  });

  it('settles a reservation once', () => {
    const budget = createRunBudget({ tokens: 100 });
    const reservation = budget.reserve(tokens(10));
    reservation.settle(tokens(10));
    reservation.settle(tokens(10));
    expect(budget.spent()).toEqual(tokens(10));
  });

  it('charges a chain of agents to the first one', () => {
    const first = createRunBudget({ tokens: 100 });
    const third = first.within({ tokens: 1_000 }).within({});
    third.reserve(tokens(80)).settle(tokens(80));
    expect(first.spent()).toEqual(tokens(80));
    expect(third.remaining()).toEqual({ tokens: 20, usd: undefined });
    expect(() => third.reserve(tokens(30))).toThrow(/budget/);
  });

  it('counts spending from before a restart', () => {
    const budget = createRunBudget({ tokens: 100 }, tokens(90));
    expect(() => budget.reserve(tokens(20))).toThrow(/90 tokens spent/);
  });
});
