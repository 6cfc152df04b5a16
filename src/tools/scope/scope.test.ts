import { describe, expect, it } from 'vitest';
import type { ToolDescriptor } from '../../contract/tool.ts';
import { createScopes, expandScope } from './scope.ts';
import { processorMs } from '../../../test/processor-time.ts';

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

const groups = {
  docs: ['search', 'get'],
  all_but_list: ['*', '!github.list'],
  nested: ['docs', 'set_current', '!get'],
  left: ['right', 'search'],
  right: ['left', 'get'],
  proto: ['__proto__'],
};

describe('a scope', () => {
  it.each([
    ['no list is the read-only built-ins', null, ['get', 'search']],
    ['an empty list is nothing', [], []],
    ['* is everything', ['*'], catalogue.map(({ name }) => name)],
    ['names, in the order they were written', ['search', 'get'], ['search', 'get']],
    ['both forms of a name, answered by wire name', ['github.list', 'github__list'], ['github__list']],
    ['globs, as people write names', ['github.*'], ['github__create_issue', 'github__list']],
    ['globs, in wire form', ['github__c*'], ['github__create_issue']],
    ['exclusions, wherever they stand', ['!github.list', 'github.*'], ['github__create_issue']],
    ['an exclusion alone grants nothing', ['!search'], []],
    ['groups', ['docs', '!get'], ['search']],
    ['a group taken away', ['*', '!docs'], ['github__create_issue', 'github__list', 'set_current']],
    [
      'a group excludes exactly the entries that it names',
      ['all_but_list', 'github.list'],
      ['get', 'github__create_issue', 'search', 'set_current', 'github__list'],
    ],
    ['a group with an exclusion, taken away', ['*', '!all_but_list'], ['github__list']],
    ['groups in groups', ['nested'], ['search', 'set_current']],
    ['groups that contain each other', ['left'], ['get', 'search']],
    ['a name that no tool has', ['create_ticket'], []],
    ['a dot in a rule is a dot', ['githubXlist'], []],
    ['another case is another name', ['Search', 'GET'], []],
    ['names that every object has', ['constructor', '__proto__', 'proto'], []],
  ])('%s', (_title, declared, granted) => {
    const scope = expandScope(declared, catalogue, { groups });
    expect(scope.granted).toEqual(granted);
    expect(scope.available).toEqual(catalogue.filter(({ name }) => scope.granted.includes(name)));
    for (const each of catalogue) {
      expect(scope.includes(each)).toBe(scope.granted.includes(each.name));
      expect(scope.explain(each.name).allowed).toBe(scope.includes(each));
      expect(scope.explain(each.displayName)).toEqual(scope.explain(each.name));
    }
  });

  it('explains which entry decided', () => {
    const scope = expandScope(['github.*', '!github.list', 'search'], catalogue);
    expect(scope.explain('github.create_issue')).toMatchObject({ allowed: true, rule: 'github.*', index: 0 });
    expect(scope.explain('github.list')).toMatchObject({ allowed: false, rule: '!github.list', index: 1 });
    expect(scope.explain('get')).toEqual({ allowed: false, rule: null, index: null, via: [] });
  });

  it('explains through which groups', () => {
    expect(expandScope(['get', 'nested'], catalogue, { groups }).explain('search')).toEqual({
      allowed: true,
      rule: 'nested',
      index: 1,
      via: [
        { group: 'nested', entry: 'docs', index: 0 },
        { group: 'docs', entry: 'search', index: 0 },
      ],
    });
  });

  it('explains whether a missing tool would be included', () => {
    const scope = expandScope(['jira.*', '!jira.delete'], catalogue);
    expect(scope.explain('jira.create')).toMatchObject({ allowed: true, rule: 'jira.*' });
    expect(scope.explain('jira.delete')).toMatchObject({ allowed: false, rule: '!jira.delete' });
  });

  it('lists entries that match no tool', () => {
    const scope = expandScope(['serch', 'github.*', 'nothing.*', '!gett', 'docs'], catalogue, { groups });
    expect(scope.unknown).toEqual(['serch', '!gett']);
  });

  it('drops and reports entries that make a group contain itself', () => {
    expect(createScopes(catalogue, groups).problems).toEqual([
      { group: 'right', entry: 'left', index: 0, why: 'cycle' },
    ]);
    expect(createScopes(catalogue, { a: ['!a', 'get'] }).problems).toMatchObject([{ entry: '!a' }]);
  });

  it('survives deeply nested groups', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [`g${n}`, [`g${n + 1}`, `g${n + 1}`, '!x', 'get']]),
    );
    const scopes = createScopes(catalogue, chain);
    expect(scopes.problems.length).toBeGreaterThan(0);
    for (const group of ['g0', 'g2500', 'g4999']) {
      const scope = scopes.expand([group]);
      expect(scope.granted).toEqual(['get']);
      expect(scope.explain('get').allowed).toBe(true);
      expect(scope.explain('search').allowed).toBe(false);
    }
  });

  it('is fast for many tools, agents and globs', () => {
    const many = Array.from({ length: 1000 }, (_, n) => tool(`server${n % 50}__${'a'.repeat(40)}_${n}`));
    const started = processorMs();
    const scopes = createScopes(many, {});
    for (let n = 0; n < 1000; n++) scopes.expand([`server${n % 50}__*`, `!${'*a'.repeat(20)}*b`, String(n)]);
    expect(processorMs() - started).toBeLessThan(1500);
  });
});
