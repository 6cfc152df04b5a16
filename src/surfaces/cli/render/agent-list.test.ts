import { expect, test } from 'vitest';
import type { AgentSummary } from '../../../contract/agent.ts';
import { renderAgentList } from './agent-list.ts';

const plain = (_style: string, text: string): string => text;

function summary(id: string, fields: Partial<AgentSummary> = {}): AgentSummary {
  return {
    id,
    name: id,
    description: '',
    version: '1.0.0',
    mode: 'interactive',
    tools: null,
    arguments: [],
    appearanceSeed: id,
    source: 'toml',
    origin: null,
    revision: 0,
    updatedAt: '2026-11-15T08:00:00.000Z',
    deletedAt: null,
    shadows: [],
    trusted: true,
    ...fields,
  };
}

test('agents are listed as in seed 002 §9.1: id, description, tools, and the source where it is not TOML', () => {
  const text = renderAgentList(
    [
      summary('code-reviewer', {
        description: 'Reviews code changes against project conventions',
        tools: ['search', 'get'],
      }),
      summary('architect', {
        description: 'Answers architecture questions using indexed docs',
        tools: ['search'],
      }),
      summary('incident-responder', {
        description: 'Helps triage production incidents',
        tools: [],
        source: 'lua',
      }),
    ],
    '/home/me',
    plain,
  );
  expect(text).toBe(
    [
      '  code-reviewer        Reviews code changes against project conventions    (tools: search, get)',
      '  architect            Answers architecture questions using indexed docs   (tools: search)',
      '  incident-responder   Helps triage production incidents                   (tools: none)  [lua]',
      '',
    ].join('\n'),
  );
});

test('the loser of a duplicate id, and what is not trusted, are said below their agent', () => {
  const text = renderAgentList(
    [
      summary('guide', {
        source: 'editor',
        shadows: [{ source: 'toml', origin: { path: '/home/me/zoo.toml', line: 12 } }],
      }),
      summary('inc', { source: 'lua', trusted: false }),
    ],
    '/home/me',
    plain,
  );
  expect(text).toContain('[editor]\n      shadows toml zoo.toml:12\n');
  expect(text).toContain('[lua]\n      not trusted yet, so not run: `zoo trust`');
});

test('a very long id does not push everybody else to the right', () => {
  const text = renderAgentList(
    [summary('a', { description: 'Short' }), summary('b'.repeat(64))],
    '/home/me',
    plain,
  );
  expect(text.split('\n')[0]).toMatch(/^ {2}a {34}Short/);
});

test('a description of others cannot move the cursor, and one that is too long is cut', () => {
  const text = renderAgentList(
    [summary('a', { description: `\u001b[2J${'x'.repeat(200)}\nsecond` })],
    '/home/me',
    plain,
  );
  expect(text).not.toContain('\u001b');
  expect(text).toContain('x…');
  expect(text).not.toContain('second');
});
