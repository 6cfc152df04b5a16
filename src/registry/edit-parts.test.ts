import { describe, expect, it } from 'vitest';
import { completeDefinition } from './definition.ts';
import { categories, publishedTools, skills } from './edit-parts.ts';

const definition = completeDefinition({
  name: 'Ada',
  skillCategories: [
    { id: 'general', name: 'General' },
    { id: 'code', name: 'Code' },
  ],
  skills: [
    { id: 'review', name: 'Review', categoryId: 'code', enabled: false, requires: ['test'] },
    { id: 'test', name: 'Test', enabled: false },
  ],
  publishedTools: [{ id: 'ask', name: 'ask', prompt: 'Answer.' }],
});

describe('skills', () => {
  it('are added at the end, with an id if they have none', () => {
    const { definition: after, value } = skills.add(definition, { name: 'Plan' }, 'ada');
    expect(after.skills.at(-1)).toBe(value);
    expect(value).toMatchObject({ id: 'plan', name: 'Plan', categoryId: 'general' });
    expect(() => skills.add(after, { id: 'plan', name: 'x' }, 'ada')).toThrow("id 'plan'");
    expect(() => skills.add(after, { name: 'x', categoryId: 'gone' }, 'ada')).toThrow("'gone' not found");
  });

  it('are changed by the fields of a patch, and moved', () => {
    const patch = { description: 'First tests.', name: undefined, before: 'review' };
    const { definition: after, value } = skills.change(definition, 'test', patch, 'ada');
    expect(after.skills.map(({ id }) => id)).toEqual(['test', 'review']);
    expect(value).toMatchObject({ name: 'Test', description: 'First tests.', enabled: false });
  });

  it('enable the skills that they require', () => {
    const { definition: after } = skills.change(definition, 'review', { enabled: true }, 'ada');
    expect(after.skills.map(({ enabled }) => enabled)).toEqual([true, true]);
  });

  it('are removed, and missing ones are reported with those that exist', () => {
    const { definition: after } = skills.remove(definition, 'review', 'ada');
    expect(after.skills.map(({ id }) => id)).toEqual(['test']);
    expect(() => skills.find(after, 'review', 'ada')).toThrow(
      expect.objectContaining({
        code: 'skill_not_found',
        message: "Skill 'review' not found. Available: test.",
        details: { id: 'review', agentId: 'ada' },
      }),
    );
  });
});

describe('categories', () => {
  it('pass their skills to the default category, which cannot be removed', () => {
    const { definition: after } = categories.remove(definition, 'code', 'ada');
    expect(after.skillCategories.map(({ id }) => id)).toEqual(['general']);
    expect(after.skills.map(({ categoryId }) => categoryId)).toEqual(['general', 'general']);
    expect(() => categories.remove(after, 'general', 'ada')).toThrow('cannot be deleted');
  });

  it('are added, renamed and moved', () => {
    const added = categories.add(definition, { name: 'Prose' }, 'ada');
    const { definition: after, value } = categories.change(
      added.definition,
      'prose',
      { name: 'Words', before: 'general' },
      'ada',
    );
    expect(value).toMatchObject({ id: 'prose', name: 'Words' });
    expect(after.skillCategories.map(({ id }) => id)).toEqual(['prose', 'general', 'code']);
  });
});

describe('published tools', () => {
  it('have unique names', () => {
    const tool = { name: 'ask', prompt: 'x' };
    expect(() => publishedTools.add(definition, tool, 'ada')).toThrow("a tool named 'ask'");
    const { definition: two } = publishedTools.add(definition, { ...tool, name: 'tell' }, 'ada');
    expect(() => publishedTools.change(two, 'tell', { name: 'ask' }, 'ada')).toThrow("a tool named 'ask'");
    expect(publishedTools.change(two, 'ask', { name: 'ask', prompt: 'y' }, 'ada').value.prompt).toBe('y');
    expect(publishedTools.remove(two, 'ask', 'ada').definition.publishedTools).toHaveLength(1);
  });
});
