import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tool, ToolOrigin } from '../../contract/tool.ts';
import { createCatalogue } from './catalogue.ts';
import { toolNames } from './tool-names.ts';
import { describeUnknown, nearestTool } from './unknown-tool.ts';

function tool(origin: ToolOrigin, server: string | null, name: string): Tool {
  return {
    descriptor: {
      ...toolNames(server, name),
      title: name,
      description: '',
      origin,
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    execute: async () => ({ content: [] }),
  };
}

describe('the catalogue', () => {
  it('finds a tool by either form of its name, but not by a part of it', () => {
    const odd = tool('upstream', 'my_server', 'a.b');
    const plain = tool('upstream', 'my_server', 'list_all');
    const catalogue = createCatalogue([odd, plain]);
    expect(catalogue.find('my_server.a.b')).toBe(odd);
    expect(catalogue.find(odd.descriptor.name)).toBe(odd);
    expect(catalogue.find('my_server__list_all')).toBe(plain);
    for (const name of ['list_all', 'my_server', 'my_server__a_b', 'MY_SERVER.list_all', '__proto__']) {
      expect(catalogue.find(name)).toBeUndefined();
    }
  });

  it('picks the same winner for a name in any order, and reports the losers', () => {
    const four = [
      tool('upstream', 'git', 'log'),
      tool('published', null, 'git__log'),
      tool('script', null, 'git__log'),
      tool('builtin', null, 'git__log'),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(four, { minLength: 1 }), (tools) => {
        const catalogue = createCatalogue(tools);
        const order: readonly ToolOrigin[] = ['builtin', 'script', 'published', 'upstream'];
        const [winner, ...losers] = order.filter((origin) =>
          tools.some((each) => each.descriptor.origin === origin),
        );
        expect(catalogue.descriptors().map(({ origin }) => origin)).toEqual([winner]);
        expect(catalogue.conflicts.map(({ loser }) => loser.origin)).toEqual(losers);
      }),
    );
  });

  it('reserves the names of the mechanisms', () => {
    const catalogue = createCatalogue([tool('script', null, 'call_tool')]);
    expect(catalogue.descriptors()).toEqual([]);
    expect(catalogue.conflicts).toMatchObject([{ winner: null }]);
  });
});

it('describes an unknown tool by the reason, or by the nearest other name', () => {
  const catalogue = createCatalogue([tool('builtin', null, 'search'), tool('upstream', 'git', 'log')]);
  const absence = (name: string) => (name === 'mail.send' ? "the server 'mail' failed: no key" : null);
  const describeOne = (entry: string) => describeUnknown(entry, catalogue, absence);
  expect(describeOne('serch')).toBe("Tool 'serch' not found; did you mean 'search'?");
  expect(describeOne('nothing-like-it')).toBe("Tool 'nothing-like-it' not found");
  expect(describeOne('mail.send')).toBe(
    "Tool 'mail.send' is not available: the server 'mail' failed: no key",
  );
  expect(describeOne('!serch')).toBe(
    "'!serch' removes nothing: tool 'serch' not found; did you mean 'search'?",
  );
  for (const own of ['git.log', 'git__log']) expect(nearestTool(own, catalogue)).toBe(null);
});
