import { ZooError } from '../contract/errors.ts';

/**
 * A list with one item replaced by a changed version of it: where it was if `before` is undefined, before the item
 * with that id, or at the end if it is null.
 */
export function placeItem<T extends { id: string }>(
  items: readonly T[],
  changed: T,
  before: string | null | undefined,
): T[] {
  if (before === undefined || before === changed.id) {
    return items.map((item) => (item.id === changed.id ? changed : item));
  }
  const others = items.filter(({ id }) => id !== changed.id);
  const index = before === null ? others.length : others.findIndex(({ id }) => id === before);
  if (index < 0) {
    const known = others.map(({ id }) => id).join(', ');
    throw new ZooError('invalid_arguments', `before: unknown id '${before}'. Known: ${known}`);
  }
  return others.toSpliced(index, 0, changed);
}
