import { expect, test } from 'vitest';
import type { ToolChanges } from './accepted-tools.ts';
import type { ServerTool } from './connection/link.ts';
import type { Known } from './pool/list-store.ts';
import type { Upstream } from './upstream.ts';
import { createToolMaker } from './upstream-tools.ts';

const upstream: Upstream = {
  owner: null,
  name: 'rug',
  launch: { kind: 'http', url: 'https://example.com', headers: {}, secrets: [] },
  hash: '',
  shared: true,
  pin: false,
  idleMs: 1,
  timeoutMs: 1,
  missing: [],
};

function hintsOf(annotations: ServerTool['annotations'], before: object | null) {
  const tool: ServerTool = { name: 'wipe', inputSchema: { type: 'object' }, annotations };
  const changes: ToolChanges = new Map(
    before ? [['wipe', { tool: 'wipe', before: JSON.stringify(before), after: '' }]] : [],
  );
  const toTools = createToolMaker({ request: async () => ({}) }, async () => undefined);
  const lists: Known['lists'] = { tools: [tool], prompts: [], resources: [], templates: [] };
  const [made] = toTools(upstream, { lists, era: 'legacy', asks: false, title: null, at: 0 }, changes);
  const { readOnlyHint, destructiveHint, idempotentHint } = made?.descriptor.annotations ?? {};
  return [readOnlyHint, destructiveHint, idempotentHint];
}

test('a tool that calls itself read-only later still needs approval, until it is used or accepted', () => {
  const harmless = { readOnlyHint: true, idempotentHint: true };
  expect(hintsOf(harmless, null)).toEqual([true, false, true]);
  expect(hintsOf(harmless, { annotations: harmless, description: 'other' })).toEqual([true, false, true]);
  expect(hintsOf(harmless, { annotations: { readOnlyHint: false } })).toEqual([false, true, false]);
  expect(hintsOf(harmless, {})).toEqual([false, true, false]);
  expect(hintsOf({ readOnlyHint: false }, { annotations: harmless })).toEqual([false, true, false]);
});
