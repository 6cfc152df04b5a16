import { describe, expect, it } from 'vitest';
import { applyPatch, completeDefinition } from './definition.ts';

describe('a definition', () => {
  it('gets all defaults from a name alone', () => {
    expect(completeDefinition({ name: 'Wizard' })).toEqual({
      name: 'Wizard',
      description: '',
      version: '1.0.0',
      mode: 'interactive',
      systemPrompt: '',
      skillCategories: [{ id: 'general', name: 'General', description: '' }],
      skills: [],
      tools: null,
      sources: null,
      arguments: [],
      context: [],
      publishedTools: [],
      contextRefs: [],
      contextTokens: null,
      model: null,
      toolPermission: 'tool',
      toolApprovals: {},
      appearanceSeed: 'Wizard',
      metadata: {},
    });
  });

  it('generates missing ids, without reusing existing ones', () => {
    const { skills } = completeDefinition({
      name: 'x',
      skills: [{ name: 'Test first' }, { name: 'Test first' }, { id: 'test-first-2', name: 'Other' }],
    });
    expect(skills.map(({ id }) => id)).toEqual(['test-first', 'test-first-3', 'test-first-2']);
  });

  it('changes only the fields of a patch; undefined is ignored, null is a value', () => {
    const before = completeDefinition({ name: 'x', description: 'kept', model: 'm', tools: ['search'] });
    const after = applyPatch(before, { description: undefined, model: null, systemPrompt: 'new' });
    expect(after).toEqual({ ...before, model: null, systemPrompt: 'new' });
  });

  it.each([
    [
      'two skills with the same id',
      {
        skills: [
          { id: 'a', name: 'A' },
          { id: 'a', name: 'B' },
        ],
      },
      /skills.*'a'/,
    ],
    ['a skill in no category', { skills: [{ name: 'A', categoryId: 'gone' }] }, /unknown category 'gone'/],
    ['two arguments of one name', { arguments: [{ name: 'a' }, { name: 'a' }] }, /arguments.*'a'/],
    [
      'two published tools with the same name',
      {
        publishedTools: [
          { id: 'a', name: 't', prompt: '' },
          { id: 'b', name: 't', prompt: '' },
        ],
      },
      /publishedTools.*'t'/,
    ],
  ])('refuses %s', (_name, patch, message) => {
    expect(() => completeDefinition({ name: 'x', ...patch })).toThrow(message);
  });
});
