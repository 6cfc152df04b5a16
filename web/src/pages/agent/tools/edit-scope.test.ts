import { expect, test } from 'vitest';
import type { ScopePreview } from '../../../../../src/contract/scope.ts';
import { grant, listOf, revoke } from './edit-scope.ts';

const named = (displayName: string) => ({ name: displayName.replace('.', '_'), displayName });
const preview: ScopePreview = {
  agentId: 'a',
  tools: [
    { name: 'search', allowed: true, rule: null, because: '' },
    { name: 'git_push', allowed: false, rule: null, because: '' },
  ],
  unknown: [],
  clientTools: [],
  groups: [{ name: 'reading', tools: 2 }],
  searchAbove: 40,
};
const push = named('git.push');
const pull = named('git.pull');

test('an agent without a list keeps what it has when one tool is changed', () => {
  expect(listOf(null, [named('search'), push], preview)).toEqual(['search']);
  expect(grant(listOf(null, [named('search'), push], preview), [push], preview)).toEqual([
    'search',
    'git.push',
  ]);
});

test.each([
  ['a name', ['git.push', 'git.pull'], ['git.pull']],
  ['the wire name', ['git_push'], []],
  ['a glob', ['git.*'], ['git.*', '!git.push']],
  ['a name and a glob', ['git.push', 'git*'], ['git*', '!git.push']],
  ['a group', ['reading'], ['reading', '!git.push']],
  ['nothing', ['other.*'], ['other.*']],
])('revoking a tool that %s grants', (_by, list, left) => {
  expect(revoke(list, [push], preview)).toEqual(left);
});

test('granting takes an exclusion back, and adds no name that a glob covers', () => {
  expect(grant(['git.*', '!git.push'], [push], preview)).toEqual(['git.*']);
  expect(grant(['search'], [push, pull], preview)).toEqual(['search', 'git.push', 'git.pull']);
  expect(grant(['away.tool'], [push], preview)).toEqual(['away.tool', 'git.push']);
});
