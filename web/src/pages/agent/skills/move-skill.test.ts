import { expect, it } from 'vitest';
import type { Skill } from '../../../../../src/contract/agent.ts';
import { columnId, dragOver, placeAfterDrag } from './move-skill.ts';

const skill = (id: string, categoryId: string): Skill => ({
  id,
  name: id,
  description: '',
  enabled: true,
  categoryId,
});
const skills = [skill('a', 'x'), skill('b', 'x'), skill('c', 'x'), skill('d', 'y')];
const orderOf = (list: readonly Skill[]): string =>
  list.map(({ id, categoryId }) => categoryId + id).join(' ');

it.each([
  ['c', 'a', 'xc xa xb yd'],
  ['a', 'c', 'xb xc xa yd'],
  ['a', 'd', 'xb xc xa yd'.replace('xa', 'ya')],
  ['d', 'a', 'xd xa xb xc'],
  ['d', columnId('x'), 'xa xb xc xd'],
  ['a', columnId('x'), 'xa xb xc yd'],
  ['a', 'a', 'xa xb xc yd'],
])('%s dragged over %s', (id, over, order) => {
  expect(orderOf(dragOver(skills, id, over))).toBe(order);
});

it('names the category and the neighbour of a dropped skill', () => {
  expect(placeAfterDrag(dragOver(skills, 'a', 'c'), 'a')).toEqual({ categoryId: 'x', before: null });
  expect(placeAfterDrag(dragOver(skills, 'd', 'b'), 'd')).toEqual({ categoryId: 'x', before: 'b' });
});
