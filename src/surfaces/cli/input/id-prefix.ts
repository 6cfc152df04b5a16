import { Failure } from '../output/failure.ts';

/** The only id that starts with this text. Unknown ids are returned unchanged: the hub reports them. */
export function completeId(start: string, ids: readonly string[], things: string): string {
  if (start === '') throw new Failure('the id is empty');
  if (ids.includes(start)) return start;
  const matches = ids.filter((id) => id.startsWith(start));
  if (matches.length > 1) {
    throw new Failure(`'${start}' matches ${matches.length} ${things}`, {
      hints: ['type more of the id', matches.slice(0, 10).join(', ')],
    });
  }
  return matches[0] ?? start;
}

const SHORTEST = 8;

/** The start of an id that no other one of the list has, to be typed. */
export function shortId(id: string, ids: readonly string[]): string {
  let length = SHORTEST;
  while (length < id.length && ids.some((other) => other !== id && other.startsWith(id.slice(0, length)))) {
    length++;
  }
  return id.slice(0, length);
}
