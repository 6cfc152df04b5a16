/** An id for a new part of an agent, made from its name. Ids begin and end with a letter or digit, unlike names. */
export function freeId(name: string, others: readonly { id: string }[], fallback: string): string {
  const words = name.replaceAll(/[^A-Za-z0-9_-]+/g, '-');
  const base = words.replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '').slice(0, 56) || fallback;
  const taken = new Set(others.map(({ id }) => id));
  let id = base;
  for (let number = 2; taken.has(id); number += 1) id = `${base}-${number}`;
  return id;
}
