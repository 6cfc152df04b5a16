import { expect, it } from 'vitest';
import { createRunUpdates } from './run-updates.ts';

it('the answer after a retry is a new message, from its first character', () => {
  const update = createRunUpdates({ runId: 'r', cwd: '/w', notices: true });
  const text = (offset: number, said: string) =>
    update({ type: 'text', step: 1, part: 0, offset, text: said });
  update({ type: 'step-started', step: 1 });
  const [broken] = text(0, 'The answer is');
  expect(text(0, 'The answer is')).toEqual([]);
  expect(update({ type: 'retry', step: 1, message: 'It broke off.', afterMs: 1_000 })).toEqual([
    { sessionUpdate: 'notice', severity: 'info', title: 'It broke off.' },
  ]);
  const [whole] = text(0, 'Forty-two.');
  expect(whole).toMatchObject({ content: { text: 'Forty-two.' } });
  expect(whole).not.toMatchObject({ messageId: broken && 'messageId' in broken ? broken.messageId : '' });
});
