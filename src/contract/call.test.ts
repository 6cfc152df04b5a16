import { describe, expect, it } from 'vitest';
import { callContext } from '../../test/call-context.ts';
import { callerKey, MAX_DEPTH, nestContext, refuseExhausted } from './call.ts';

describe('a nested call', () => {
  it('is one level deeper, acts as the called agent, and never has more budget than its caller', () => {
    const outer = callContext({ agent: 'a', budget: { tokens: 100, usd: 1 } });
    expect(nestContext(outer, 'b', { tokens: 500, turns: 3 })).toMatchObject({
      agent: 'b',
      depth: 1,
      budget: { tokens: 100, usd: 1, turns: 3 },
    });
  });

  it('is rejected below the deepest level', () => {
    let context = callContext();
    for (let depth = 0; depth < MAX_DEPTH; depth += 1) context = nestContext(context, `agent-${depth}`);
    expect(() => nestContext(context, 'one-more')).toThrow('Check their tools for a cycle');
  });

  it('is rejected when a budget is used up', () => {
    const spent = { depth: 0, budget: { tokens: 10, turns: 0 } };
    expect(() => refuseExhausted(spent)).toThrow('The budget is used up: no turns left.');
    expect(() => refuseExhausted({ depth: 0, budget: {} })).not.toThrow();
  });
});

it('two tokens of one agent are two callers', () => {
  const keys = ['t1', 't2'].map((tokenId) => callerKey({ kind: 'agent', agentId: 'a', tokenId }));
  expect(new Set(keys).size).toBe(2);
});
