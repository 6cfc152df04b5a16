import { describe, expect, it } from 'vitest';
import type { ToolDescriptor } from '../contract/tool.ts';
import { expandScope } from './scope.ts';

function tool(name: string, options: Partial<ToolDescriptor> & { readOnly?: boolean } = {}): ToolDescriptor {
  const { readOnly = false, ...rest } = options;
  return {
    name,
    displayName: name,
    title: name,
    description: '',
    origin: 'builtin',
    inputSchema: { type: 'object' },
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
    ...rest,
  };
}

const catalogue = [
  tool('get', { readOnly: true }),
  tool('github__create_issue', { displayName: 'github.create_issue', origin: 'upstream' }),
  tool('github__list', { displayName: 'github.list', origin: 'upstream', readOnly: true }),
  tool('search', { readOnly: true }),
  tool('set_current'),
];

describe('a scope', () => {
  it.each([
    ['no list is the read-only built-ins', null, ['get', 'search']],
    ['an empty list is nothing', [], []],
    ['* is everything', ['*'], catalogue.map(({ name }) => name)],
    ['names, in the order they were written', ['search', 'get'], ['search', 'get']],
    ['both forms of a name, answered by wire name', ['github.list', 'github__list'], ['github__list']],
    ['globs', ['github.*'], ['github__create_issue', 'github__list']],
    ['exclusions, wherever they stand', ['!github.list', 'github.*'], ['github__create_issue']],
    ['an exclusion alone grants nothing', ['!search'], []],
    ['groups', ['docs', '!get'], ['search']],
    ['a group taken away', ['*', '!docs'], ['github__create_issue', 'github__list', 'set_current']],
    ['a name that no tool has yet is granted all the same', ['create_ticket'], ['create_ticket']],
    ['unless it is excluded', ['create_ticket', '!create_*'], []],
    ['a dot in a rule is a dot', ['githubXlist'], ['githubXlist']],
  ])('%s', (_title, declared, granted) => {
    const scope = expandScope(declared, catalogue, { groups: { docs: ['search', 'get'] } });
    expect(scope.granted).toEqual(granted);
    const available = scope.available.map(({ name }) => name);
    expect(new Set(available)).toEqual(
      new Set(granted.filter((name) => catalogue.some((t) => t.name === name))),
    );
    for (const { name, displayName } of catalogue) {
      expect(scope.explain(name).allowed).toBe(available.includes(name));
      expect(scope.explain(displayName)).toEqual(scope.explain(name));
    }
  });

  it('says which entry decided', () => {
    const scope = expandScope(['github.*', '!github.list', 'search'], catalogue);
    expect(scope.explain('github.create_issue')).toEqual({ allowed: true, rule: 'github.*' });
    expect(scope.explain('github.list')).toEqual({ allowed: false, rule: '!github.list' });
    expect(scope.explain('get')).toEqual({ allowed: false, rule: null });
  });

  it('names what no tool has', () => {
    expect(expandScope(['serch', 'github.*', 'nothing.*'], catalogue).unknown).toEqual(['serch']);
  });
});
