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
