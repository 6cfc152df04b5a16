import { expect, test } from 'vitest';
import { call, hang, say as answer } from '../fake-model/script.ts';
import { openChatStage, say, turn } from './chat-stage.ts';

test('a chat goes on after the hub was killed in mid-answer', async () => {
  await using stage = await openChatStage([call('sources'), hang(), answer('Here I am again.')]);
  const { page, zoo, model } = stage;
  await stage.openChat('ada');
  await say(page, 'Which sources are there?');
  await turn(page, 1)
    .getByRole('button', { name: /^sources/ })
    .waitFor();
  await expect.poll(() => model.requests.length).toBe(2);
  await zoo.kill();
  await page.getByText('The hub does not answer.').first().waitFor();
  await zoo.restart();
  await turn(page, 1).getByText('Here I am again.').waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  expect(
    await turn(page, 1)
      .getByRole('button', { name: /^sources/ })
      .count(),
  ).toBe(1);
});
