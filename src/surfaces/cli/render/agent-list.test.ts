import { expect, test } from 'vitest';
import type { AgentSummary } from '../../../contract/agent.ts';
import { plain } from '../output/paint.ts';
import { renderAgentList } from './agent-list.ts';
import { widthOf } from './table.ts';

const view = { paint: plain, columns: Infinity, folder: '/home/me' };

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
    view,
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

test('shadowed definitions and missing trust are noted below the agent', () => {
  const text = renderAgentList(
    [
      summary('guide', {
        source: 'editor',
        shadows: [{ source: 'toml', origin: { path: '/home/me/zoo.toml', line: 12 } }],
      }),
      summary('inc', { source: 'lua', trusted: false }),
    ],
    view,
  );
  expect(text).toContain('[editor]\n      shadows toml zoo.toml:12\n');
  expect(text).toContain('[lua]\n      not trusted, so it does not run: `zoo trust`');
});

test('a very long id does not widen the column for the others', () => {
  const text = renderAgentList([summary('a', { description: 'Short' }), summary('b'.repeat(64))], view);
  expect(text.split('\n')[0]).toMatch(/^ {2}a {34}Short/);
});

test.each([40, 80, 120])('at %d columns every agent is one line, cut with an ellipsis', (columns) => {
  const many = Array.from({ length: 12 }, (_, index) => `server.some_tool_${index}`);
  const agents = ['short', 'an-agent-with-a-rather-long-name'].map((id) =>
    summary(id, {
      description: 'Answers questions about 日本語 documents and everything else that people ask about',
      tools: many,
      source: 'markdown',
      mode: 'autonomous',
      tokens: { prompt: 1234, tools: 4567 },
    }),
  );
  const lines = renderAgentList(agents, { ...view, columns })
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(widthOf(line)).toBeLessThanOrEqual(columns);
    expect(line).toContain('…');
  }
});

test('a description cannot move the cursor, and a long one is cut', () => {
  const text = renderAgentList([summary('a', { description: `\u001b[2J${'x'.repeat(200)}\nsecond` })], view);
  expect(text).not.toContain('\u001b');
  expect(text).toContain('x…');
  expect(text).not.toContain('second');
});
