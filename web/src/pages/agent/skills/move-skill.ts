import type { Skill } from '../../../../../src/contract/agent.ts';

/**
 * The skill that a moved one comes before: null for the end, undefined if it would stay where it is. `index` is its
 * place within the category it moves to.
 */
export function neighbourAfterMove(
  skills: readonly Skill[],
  moved: Skill,
  categoryId: string,
  index: number,
): string | null | undefined {
  const column = skills.filter((skill) => skill.categoryId === categoryId);
  if (moved.categoryId === categoryId && column.indexOf(moved) === index) return undefined;
  const others = column.filter(({ id }) => id !== moved.id);
  return others[index]?.id ?? null;
}

/** The skills while one is dragged over another one, or over the column of a category. */
export function dragOver(skills: readonly Skill[], id: string, over: string): readonly Skill[] {
  const from = skills.findIndex((skill) => skill.id === id);
  const moved = skills[from];
  if (!moved || id === over) return skills;
  const rest = skills.toSpliced(from, 1);
  const column = columnOf(over);
  if (column !== null) {
    return column === moved.categoryId ? skills : [...rest, { ...moved, categoryId: column }];
  }
  const to = skills.findIndex((skill) => skill.id === over);
  const target = skills[to];
  if (!target) return skills;
  // Within a category, going down means after the other one; from another category, it is always before.
  const isBelow = target.categoryId === moved.categoryId && to > from;
  const place = rest.indexOf(target) + (isBelow ? 1 : 0);
  return rest.toSpliced(place, 0, { ...moved, categoryId: target.categoryId });
}

/** The drop target of a skill: its category, and the skill that follows it. */
export function placeAfterDrag(skills: readonly Skill[], id: string) {
  const at = skills.findIndex((skill) => skill.id === id);
  const categoryId = skills[at]?.categoryId;
  const next = skills.slice(at + 1).find((skill) => skill.categoryId === categoryId);
  return { categoryId, before: next?.id ?? null };
}

export const columnId = (categoryId: string): string => `category ${categoryId}`;

const columnOf = (id: string): string | null =>
  id.startsWith('category ') ? id.slice('category '.length) : null;
