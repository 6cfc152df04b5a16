import { expect, test } from 'vitest';
import { call, say as answer } from '../fake-model/script.ts';
import { openChatStage, say, turn } from './chat-stage.ts';

const guide = {
  id: 'helper',
  name: 'Helper',
  systemPrompt: 'You help to define agents.',
  tools: ['agent_zoo_get_agent', 'agent_zoo_create_agent', 'agent_zoo_update_agent'],
};
/** Agents change only those that they have created themselves. */
const wizard = {
  id: 'wizard',
  name: 'Wizard',
  systemPrompt: 'You know magic.',
  tools: ['sources'],
  metadata: { createdByAgent: 'helper' },
};
const agents = [guide, wizard];

const update = (systemPrompt: string) => call('agent_zoo_update_agent', { agentId: 'wizard', systemPrompt });

test('a change of an agent is shown as a diff, and allowed in a second window', async () => {
  await using stage = await openChatStage([update('You know much magic.'), answer('Changed.')], { agents });
  const { page, zoo } = stage;
  const id = await stage.openChat('helper');
  await say(page, 'Make the wizard know more');
  const approval = (window: typeof page) =>
    window.getByRole('group', { name: 'Approval of agent_zoo_update_agent' });
  await approval(page).getByText('Changes “Wizard”: persona.').waitFor();
  await approval(page).getByRole('textbox', { name: 'Persona' }).waitFor();
  await page.getByRole('status', { name: 'Approvals' }).getByText('1 approval waits for you').waitFor();
  await page.getByRole('region', { name: 'Needs you' }).getByRole('link').waitFor();

  const second = await zoo.openWindow(`/chat/${id}`);
  await approval(second).getByRole('button', { name: 'Allow once' }).click();
  for (const window of [page, second]) {
    await turn(window, 1).getByText('Changed.', { exact: true }).waitFor();
    await turn(window, 1).getByText('Allowed once', { exact: true }).waitFor();
    expect(await approval(window).count()).toBe(0);
  }
  expect(await zoo.call('GET', '/api/agents/wizard')).toMatchObject({ systemPrompt: 'You know much magic.' });
  await page.getByRole('region', { name: 'Done' }).getByRole('link').waitFor();
  await page.reload();
  await turn(page, 1).getByText('Allowed once', { exact: true }).waitFor();
});

test('A allows and D denies with a reason; arguments can be edited first', async () => {
  await using stage = await openChatStage(
    [
      update('Edited here.'),
      answer('First.'),
      update('No.'),
      answer('Second.'),
      update('By key.'),
      answer('Third.'),
    ],
    { agents },
  );
  const { page, zoo } = stage;
  await stage.openChat('helper');
  const approval = page.getByRole('group', { name: 'Approval of agent_zoo_update_agent' });
  await say(page, 'One');
  await approval.getByRole('button', { name: 'Edit arguments' }).click();
  const edited = approval.getByRole('textbox', { name: 'Arguments' });
  await edited.fill('{"agentId": ');
  await approval.getByText(/^Invalid JSON/).waitFor();
  expect(await approval.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true);
  await edited.fill('{"agentId": "wizard", "systemPrompt": "As a person wants it."}');
  await approval.getByRole('button', { name: 'Allow once' }).click();
  await turn(page, 1).getByText('First.', { exact: true }).waitFor();
  expect(await zoo.call('GET', '/api/agents/wizard')).toMatchObject({
    systemPrompt: 'As a person wants it.',
  });

  await say(page, 'Two');
  await approval.waitFor();
  await page.getByRole('heading', { name: 'One', exact: true }).click();
  await approval.getByRole('button', { name: 'Deny' }).scrollIntoViewIfNeeded();
  await page.keyboard.press('d');
  const reason = approval.getByRole('textbox', { name: 'Why not?' });
  await expect.poll(() => reason.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('Leave it alone');
  await page.keyboard.press('Enter');
  await turn(page, 2).getByText('Second.', { exact: true }).waitFor();
  await turn(page, 2).getByText('Denied: “Leave it alone”').waitFor();
  expect(stage.model.requests.at(-1)?.messages.at(-1)?.text).toContain('Leave it alone');

  await say(page, 'Three');
  await approval.waitFor();
  await page.getByRole('heading', { name: 'One', exact: true }).click();
  // Off the screen, the first press only brings it into view.
  await expect
    .poll(async () => {
      if ((await approval.count()) > 0) await page.keyboard.press('a');
      return turn(page, 3).getByText('Third.', { exact: true }).count();
    })
    .toBe(1);
  expect(await zoo.call('GET', '/api/agents/wizard')).toMatchObject({ systemPrompt: 'By key.' });
});
