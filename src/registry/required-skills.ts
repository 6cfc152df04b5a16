import type { Skill } from '../contract/agent.ts';

/** A skill and everything it requires, directly or through others, with the enabled flag set. */
export function enableRequired(skills: readonly Skill[], id: string): Skill[] {
  const wanted = new Set<string>();
  const add = (each: string): void => {
    const skill = skills.find((other) => other.id === each);
    if (!skill || wanted.has(each)) return;
    wanted.add(each);
    skill.requires?.forEach(add);
  };
  add(id);
  return skills.map((skill) => (wanted.has(skill.id) ? { ...skill, enabled: true } : skill));
}

/** A warning for each enabled skill that requires one which is disabled or missing. */
export function missingRequirements(skills: readonly Skill[]): string[] {
  const byId = new Map(skills.map((skill) => [skill.id, skill]));
  return skills.flatMap((skill) => {
    if (!skill.enabled) return [];
    return (skill.requires ?? []).flatMap((id) => {
      const required = byId.get(id);
      if (!required) return [`Skill '${skill.name}' requires '${id}', which does not exist.`];
      return required.enabled
        ? []
        : [`Skill '${skill.name}' requires '${required.name}', which is disabled.`];
    });
  });
}
