import { expect, it } from 'vitest';
import type { Skill } from '../contract/agent.ts';
import { enableRequired, missingRequirements } from './required-skills.ts';

const skill = (id: string, enabled: boolean, requires?: string[]): Skill => ({
  id,
  name: id.toUpperCase(),
  description: '',
  enabled,
  categoryId: 'general',
  ...(requires ? { requires } : {}),
});

it('enables required skills transitively, and stops at cycles', () => {
  const skills = [
    skill('a', false, ['b']),
    skill('b', false, ['c']),
    skill('c', false, ['a']),
    skill('d', false),
  ];
  expect(enableRequired(skills, 'a').map(({ enabled }) => enabled)).toEqual([true, true, true, false]);
});

it('warns about disabled and missing requirements of enabled skills', () => {
  const skills = [skill('a', true, ['b', 'gone']), skill('b', false, ['gone']), skill('c', true, ['a'])];
  expect(missingRequirements(skills)).toEqual([
    "Skill 'A' requires 'B', which is disabled.",
    "Skill 'A' requires 'gone', which does not exist.",
  ]);
});
