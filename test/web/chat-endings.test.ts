import { expect, test } from 'vitest';
import { startAirline } from './airline.ts';
import { call, hang, say as answer } from '../fake-model/script.ts';
import { message, openChatStage, say, steer, turn } from './chat-stage.ts';

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
  await page.getByText('The hub is not responding.').first().waitFor();
  await steer(page, 'Still there?');
  await page.getByRole('alert').getByText('The hub is not responding.').first().waitFor();
  await expect.poll(() => message(page).inputValue()).toBe('Still there?');
  // The note at the top leaves room for the message.
  expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
  await zoo.restart();
  await turn(page, 1).getByText('Here I am again.').waitFor();
  // What is true no longer is not shown, and the message is kept.
  await expect.poll(() => page.getByText('The hub is not responding.').count()).toBe(0);
  expect(await message(page).inputValue()).toBe('Still there?');
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  expect(
    await turn(page, 1)
      .getByRole('button', { name: /^sources/ })
      .count(),
  ).toBe(1);
});

test('a chat that is deleted in another window says so, and takes no more messages', async () => {
  await using stage = await openChatStage([answer('Hello.')]);
  const { page, zoo } = stage;
  const id = await stage.openChat('ada');
  await say(page, 'Hi');
  await turn(page, 1).getByText('Hello.').waitFor();
  await zoo.call('DELETE', `/api/chats/${id}`);
  const alert = page.getByRole('alert');
  await alert.getByText('This chat was deleted in another window.').waitFor();
  await message(page).waitFor({ state: 'detached' });
  await alert.getByRole('link', { name: 'New chat' }).click();
  await page.getByRole('heading', { name: 'New chat' }).waitFor();
});

test('commands in the notes of a run are set as code', async () => {
  await using stage = await openChatStage([answer('Hello.')]);
  const { page, zoo } = stage;
  await stage.openChat('ada');
  await zoo.call('POST', '/api/pause');
  await say(page, 'Hi');
  await turn(page, 1).getByText('zoo resume', { exact: true }).waitFor();
  await zoo.call('POST', '/api/unpause');
  await turn(page, 1).getByText('Hello.').waitFor();
});

test('a used-up budget ends the turn with the reason, and what is left is shown', async () => {
  // The user's own config, which needs no approval.
  const files = { '../config/zoo.toml': '[budget]\nagent_day = { tokens = 5000 }\n' };
  await using stage = await openChatStage([answer('Too late.')], { files });
  const { page } = stage;
  await stage.openChat('ada');
  await expect.poll(() => page.getByTestId('chat-cost').textContent()).toContain('5,000 tokens');
  await say(page, 'Spend it all');
  const error = turn(page, 1).getByRole('alert');
  await error.getByText(/would exceed today's budget of agent 'ada' \(5,000 tokens/).waitFor();
  await error.getByRole('button', { name: 'Retry' }).waitFor();
  expect(stage.model.requests).toEqual([]);
});

test('a call that was cut off is named as lost, and its run is resumed on its page', async () => {
  await using airline = await startAirline();
  const files = { '../config/zoo.toml': `[tools.mcp.airline]\nurl = "${airline.url}"\n` };
  const agents = [
    { id: 'ada', name: 'Ada', systemPrompt: 'Book.', tools: ['airline.book'], toolPermission: 'never' },
  ];
  await using stage = await openChatStage([call('book', { city: 'Oslo' }), answer('It may be booked.')], {
    files,
    agents,
  });
  const { page, zoo } = stage;
  const id = await stage.openChat('ada');
  await say(page, 'Book Oslo');
  await airline.called;
  await zoo.kill();
  await page.getByText('The hub is not responding.').first().waitFor();
  await zoo.restart();
  await turn(page, 1)
    .getByText(/^The hub stopped in the middle of this turn\. Lost: the result of airline\.book/)
    .waitFor();
  await page.getByRole('region', { name: 'Needs you' }).getByRole('link').waitFor();
  const { runs } = Object(await zoo.call('GET', `/api/runs?chat=${id}`));
  await page.goto(`${zoo.url}/runs/${runs[0].id}`);
  const resume = page.getByRole('button', { name: 'Resume run' });
  await resume.waitFor();
  // With a fast model, the page reads a resumed run only when that has ended again.
  const path = `/api/runs/${runs[0].id}`;
  await page.route(`${zoo.url}${path}`, async (route) => {
    await expect.poll(async () => Object(await zoo.call('GET', path)).state).toBe('completed');
    await route.continue();
  });
  await resume.click();
  const timeline = page.getByRole('list', { name: 'Timeline' });
  await timeline.getByText('It may be booked.', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'part of a chat' }).click();
  await turn(page, 1).getByText('It may be booked.', { exact: true }).waitFor();
});
