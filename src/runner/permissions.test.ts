import { describe, expect, it } from 'vitest';
import { approvalFor, offeredTools } from './permissions.ts';

const hints = { destructiveHint: false, idempotentHint: false, openWorldHint: false };
const search = { name: 'search', displayName: 'search', annotations: { ...hints, readOnlyHint: true } };
const send = {
  name: 'mail__send',
  displayName: 'mail.send',
  annotations: { ...hints, readOnlyHint: false },
};
const tools = [search, send];

describe("seed 004's table for headless runs", () => {
  it.each([
    ['always', []],
    ['never', ['search', 'mail__send']],
    ['tool', ['search']],
  ] as const)('%s offers %j', (toolPermission, names) => {
    const offered = offeredTools(tools, { toolPermission, toolApprovals: {} }, { headless: true });
    expect(offered.map(({ name }) => name)).toEqual(names);
  });
});

it('an interactive run offers tools that need approval', () => {
  const offered = offeredTools(tools, { toolPermission: 'always', toolApprovals: {} }, { headless: false });
  expect(offered).toEqual(tools);
});

describe('a rule for one tool', () => {
  it('wins over the rule for all, by either form of the name', () => {
    const rules = { toolPermission: 'always', toolApprovals: { 'mail.send': 'allow' } } as const;
    expect(approvalFor(send, rules)).toBe('allow');
    expect(approvalFor(search, rules)).toBe('ask');
  });

  it('set to deny removes the tool, with or without a person', () => {
    const rules = { toolPermission: 'never', toolApprovals: { mail__send: 'deny' } } as const;
    expect(offeredTools(tools, rules, { headless: false })).toEqual([search]);
  });

  it('is not read from the prototype of the rules', () => {
    const odd = { ...send, name: 'constructor', displayName: 'toString' };
    expect(approvalFor(odd, { toolPermission: 'tool', toolApprovals: {} })).toBe('ask');
  });
});
