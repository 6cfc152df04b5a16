import { expect, it } from 'vitest';
import { completeId, shortId } from './id-prefix.ts';

it('ids are shortened as far as they can be typed', () => {
  const ids = ['07712291-f575-1-toolu_1', '07712291-f575-1-toolu_2', '5ea2f1fe-7cdf-1-call'];
  const short = ids.map((id) => shortId(id, ids));
  expect(short).toEqual(['07712291-f575-1-toolu_1', '07712291-f575-1-toolu_2', '5ea2f1fe']);
  expect(short.map((id) => completeId(id, ids, 'questions'))).toEqual(ids);
});
