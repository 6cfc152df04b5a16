import type { Skill } from '../../../../../src/contract/agent.ts';

/** Enabled skills that would lose something if this one were switched off, through others too. */
export function dependentsOf(skills: readonly Skill[], id: string): Skill[] {
  const found = new Set<string>();
  const look = (needed: string): void => {
    for (const skill of skills) {
      if (!skill.enabled || found.has(skill.id) || !skill.requires?.includes(needed)) continue;
      found.add(skill.id);
      look(skill.id);
    }
  };
  look(id);
  found.delete(id);
  return skills.filter((skill) => found.has(skill.id));
}

/** Disabled skills that come along when this one is switched on. */
export function broughtAlong(skills: readonly Skill[], id: string): Skill[] {
  const found = new Set<string>();
  const look = (from: string): void => {
    for (const needed of skills.find((skill) => skill.id === from)?.requires ?? []) {
      if (found.has(needed)) continue;
      found.add(needed);
      look(needed);
    }
  };
  look(id);
  found.delete(id);
  return skills.filter((skill) => found.has(skill.id) && !skill.enabled);
}
