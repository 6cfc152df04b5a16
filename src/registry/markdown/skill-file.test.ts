import { expect, it } from 'vitest';
import { splitToolList } from './skill-file.ts';
import { processorMs } from '../../../test/processor-time.ts';

it('splits a list of tools at commas outside of parentheses', () => {
  expect(splitToolList('Read, Bash(git diff:*, git log:*) , ,Grep')).toEqual([
    'Read',
    'Bash(git diff:*, git log:*)',
    'Grep',
  ]);
});

it('takes linear time for any text', () => {
  const startedAt = processorMs();
  splitToolList('('.repeat(1_000_000));
  expect(processorMs() - startedAt).toBeLessThan(2000);
});
