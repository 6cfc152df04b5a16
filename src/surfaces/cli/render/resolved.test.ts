import { expect, test } from 'vitest';
import type { ResolvedAgent } from '../../../contract/resolved.ts';
import { completeDefinition } from '../../../registry/definition.ts';
import { plain } from '../output/paint.ts';
import { renderResolved } from './resolved.ts';

const view = { paint: plain, columns: Infinity, folder: '/home/me' };

const agent = {
  ...completeDefinition({ name: 'Incidents' }),
  id: 'incident-responder',
  source: 'lua' as const,
  origin: { path: '/home/me/agents/incident-responder.lua' },
  revision: 0,
  createdAt: '',
  updatedAt: '',
};
const resolved: ResolvedAgent = {
  system: 'You are an incident responder.\n\nBe methodical.',
  tools: ['search', 'get'],
  clientTools: [],
  messages: [{ role: 'assistant', content: "I'm ready to help." }],
  receipt: {
    agentId: 'incident-responder',
    revision: 0,
    parts: [{ kind: 'persona', id: 'persona', title: 'Persona', tokens: 9 }],
    totalTokens: 15,
    tokenizer: 'o200k_base',
    searches: 3,
    fetches: 1,
    warnings: [],
    durationMs: 142.4,
  },
};

test('a resolved agent is printed as in seed 002 §9.2, the timing line included', () => {
  expect(renderResolved(agent, resolved, view, false)).toBe(`
Agent: incident-responder
Source: lua (agents/incident-responder.lua)
Tools: search, get

System prompt (46 chars):
  You are an incident responder.

  Be methodical.

Messages (1):
  [assistant] I'm ready to help.

Resolved in 142ms (3 search queries, 1 document fetch)
`);
});

test('the receipt is shown on request, warnings always', () => {
  const warned = { ...resolved, receipt: { ...resolved.receipt, warnings: ['the persona is empty'] } };
  const text = renderResolved(agent, warned, view, true);
  expect(text).toContain('persona   Persona   9 tokens');
  expect(text).toContain('15 tokens in total (6 for headings and separators)');
  expect(text).toContain('warning: the persona is empty');
});
