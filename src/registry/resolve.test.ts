import { describe, expect, it } from 'vitest';
import type { Agent, AgentInput } from '../contract/agent.ts';
import { completeDefinition } from './definition.ts';
import { type ResolveWith, resolve } from './resolve.ts';

function agent(input: Partial<AgentInput>): Agent {
  return {
    ...completeDefinition({ name: 'Test', ...input }),
    id: 'test',
    source: 'toml',
    origin: null,
    revision: 0,
    createdAt: '',
    updatedAt: '',
  };
}

const alone: ResolveWith = {
  knowledge: null,
  expandScope: ({ tools }) => ({ tools: tools ?? [], clientTools: [], warnings: [] }),
  memories: async () => [],
  countTokens: (text) => text.length,
  now: () => 0,
};

describe('resolving an agent', () => {
  it('fills placeholders of declared arguments in one pass, and keeps all others', async () => {
    const declared = agent({
      systemPrompt: 'You serve {{service}} at {{ severity }}; {{unknown}}, {service}, {{missing}}.',
      arguments: [{ name: 'service' }, { name: 'severity', default: 'P2' }, { name: 'missing' }],
    });
    const { system } = await resolve(declared, { service: '{{severity}} $& $1' }, alone);
    expect(system).toBe('You serve {{severity}} $& $1 at P2; {{unknown}}, {service}, .');
  });

  it('turns values that are not text into JSON', async () => {
    const declared = agent({ systemPrompt: '{{x}}', arguments: [{ name: 'x' }] });
    expect((await resolve(declared, { x: { a: [1] } }, alone)).system).toBe('{"a":[1]}');
    expect((await resolve(declared, { x: 0 }, alone)).system).toBe('0');
  });

  it.each([{}, { service: '' }, { service: null }, { other: 'x' }])(
    'refuses a missing required argument before anything else runs: %o',
    async (given) => {
      const declared = agent({ systemPrompt: 'x', arguments: [{ name: 'service', required: true }] });
      const never: ResolveWith = {
        ...alone,
        memories: () => Promise.reject(new Error('must not run')),
      };
      await expect(resolve(declared, given, never)).rejects.toMatchObject({
        code: 'invalid_arguments',
        message: expect.stringContaining('arguments.service'),
      });
    },
  );

  it('reports ignored arguments', async () => {
    const { receipt } = await resolve(agent({ systemPrompt: 'x' }), { typo: 1 }, alone);
    expect(receipt.warnings).toEqual(["Argument 'typo' is ignored: agent 'test' takes no arguments."]);
  });

  it('omits disabled skills, and counts the tokens of every part', async () => {
    const skilled = agent({
      systemPrompt: 'Persona.',
      skills: [
        { name: 'On', description: 'yes' },
        { name: 'Off', description: 'no', enabled: false },
      ],
    });
    const { system, receipt } = await resolve(skilled, {}, alone);
    expect(system).toBe('Persona.\n\n---\n\n## Active Skills\n\n### On\nyes');
    expect(receipt.parts).toEqual([
      { kind: 'persona', id: 'persona', title: 'Persona', tokens: 8 },
      { kind: 'skill', id: 'on', title: 'On', tokens: 10 },
    ]);
    expect(receipt.totalTokens).toBe(system.length);
  });

  it('warns about an empty persona, and still resolves', async () => {
    const { system, receipt } = await resolve(agent({ systemPrompt: '  ' }), {}, alone);
    expect(system).toBe('');
    expect(receipt.warnings).toEqual(["Agent 'test' has no persona: its system prompt is empty."]);
  });

  it('runs the declared queries with arguments filled in, and lists each document once', async () => {
    const asked: string[] = [];
    const passages = [{ text: 'Restart it.', lineStart: 1, lineEnd: 1 }];
    const document = { id: 'd', title: 'Runbook', passages, score: 0.9, source: 'runbooks' };
    const primed = agent({
      systemPrompt: 'x',
      arguments: [{ name: 'service' }],
      context: [{ query: '{{service}} runbook', limit: 3 }, { query: 'standards' }],
      contextRefs: ['docs/a.md'],
    });
    const { system, receipt } = await resolve(
      primed,
      { service: 'payments' },
      {
        ...alone,
        knowledge: {
          budget: 1000,
          search: async ({ query }) => {
            asked.push(query);
            return { documents: [document], warnings: [] };
          },
          fetch: async (reference) => {
            asked.push(reference);
            return { documents: [], warnings: [] };
          },
        },
      },
    );
    expect(asked).toEqual(['docs/a.md', 'payments runbook', 'standards']);
    expect(system.match(/Restart it/g)).toHaveLength(1);
    expect(receipt).toMatchObject({ searches: 2, fetches: 1, parts: [{}, { id: 'd', score: 0.9 }] });
  });

  it.each([
    ['payments', '"payments" runbook'],
    ['-payments +api', '"payments api" runbook'],
    ['a" -runbook "b', '"a  runbook  b" runbook'],
    ['x NOT runbook', '"x not runbook" runbook'],
    ['--dry-run NOTE a-b', '"dry-run NOTE a-b" runbook'],
  ])('searches for arguments literally, without operators: %s', async (service, asked) => {
    const queries: string[] = [];
    const primed = agent({
      systemPrompt: '{{service}}',
      arguments: [{ name: 'service' }],
      context: [{ query: '"{{service}}" runbook' }],
    });
    const search = async ({ query }: { query: string }) => {
      queries.push(query);
      return { documents: [], warnings: [] };
    };
    const fetch = async () => ({ documents: [], warnings: [] });
    const { system } = await resolve(
      primed,
      { service },
      { ...alone, knowledge: { budget: 9, search, fetch } },
    );
    expect(queries).toEqual([asked]);
    expect(system).toBe(service);
  });

  it('warns if there is no knowledge base', async () => {
    const { receipt } = await resolve(agent({ systemPrompt: 'x', context: [{ query: 'q' }] }), {}, alone);
    expect(receipt).toMatchObject({ searches: 0, warnings: [expect.stringContaining('no knowledge base')] });
  });
});
