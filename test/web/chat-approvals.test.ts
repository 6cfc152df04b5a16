import { expect, test } from 'vitest';
import { call, lastResult, say as answer } from '../fake-model/script.ts';
import { fixture } from '../upstreams/upstream-servers.ts';
import { openChatStage, say, turn } from './chat-stage.ts';

const helper = {
  id: 'helper',
  name: 'Helper',
  systemPrompt: 'You help to define agents.',
  tools: ['agent_zoo_get_agent', 'agent_zoo_create_agent', 'agent_zoo_update_agent'],
};
/** Of the operator, not of the helper. */
const wizard = {
  id: 'wizard',
  name: 'Wizard',
  systemPrompt: 'You know magic.',
  tools: ['sources'],
};
const pupil = { ...wizard, id: 'pupil', name: 'Pupil', metadata: { createdByAgent: 'helper' } };
const agents = [helper, wizard, pupil];

const update = (systemPrompt: string, agentId = 'wizard') =>
  call('agent_zoo_update_agent', { agentId, systemPrompt });

test('the guide makes and changes agents: each is shown as a diff, one is allowed in a second window', async () => {
  const scribe = { name: 'Scribe', systemPrompt: 'You write release notes.' };
  const steps = [
    call('agent_zoo_create_agent', scribe),
    answer('Made.'),
    update('You know much magic.'),
    answer('Changed.'),
  ];
  await using stage = await openChatStage(steps, { agents });
  const { page, zoo } = stage;
  const id = await stage.openChat('guide');
  await say(page, 'Make me a scribe');
  const creation = page.getByRole('group', { name: 'Approval of agent_zoo_create_agent' });
  await creation.getByText('Creates the agent “Scribe”.').waitFor();
  await creation.getByRole('textbox', { name: 'Persona' }).getByText('You write release notes.').waitFor();
  const bar = page.getByRole('status', { name: 'Approvals' });
  await bar.getByText('1 approval waits for you').waitFor();
  await bar.getByRole('link', { name: 'guide: agent_zoo_create_agent' }).waitFor();
  await bar.getByText('zoo inbox', { exact: true }).waitFor();
  await creation.getByRole('button', { name: 'Allow once' }).click();
  await turn(page, 1).getByText('Made.', { exact: true }).waitFor();
  expect(await zoo.call('GET', '/api/agents/scribe')).toMatchObject(scribe);
  await say(page, 'Make the wizard know more');
  const approval = (window: typeof page) =>
    window.getByRole('group', { name: 'Approval of agent_zoo_update_agent' });
  await approval(page).getByText('Changes “Wizard”: persona.').waitFor();
  await approval(page).getByRole('textbox', { name: 'Persona' }).waitFor();
  await bar.getByText('1 approval waits for you').waitFor();
  await page.getByRole('region', { name: 'Needs you' }).getByRole('link').waitFor();

  const second = await zoo.openWindow(`/chat/${id}`);
  await approval(second).getByRole('button', { name: 'Allow once' }).click();
  for (const window of [page, second]) {
    await turn(window, 2).getByText('Changed.', { exact: true }).waitFor();
    await turn(window, 2).getByText('Allowed once', { exact: true }).waitFor();
    await expect.poll(() => approval(window).count()).toBe(0);
  }
  await expect
    .poll(() => zoo.call('GET', '/api/agents/wizard'))
    .toMatchObject({ systemPrompt: 'You know much magic.' });
  await page.getByRole('region', { name: 'Done' }).getByRole('link').waitFor();
  await page.reload();
  await turn(page, 2).getByText('Allowed once', { exact: true }).waitFor();
});

test('A allows and D denies with a reason; arguments can be edited first', async () => {
  await using stage = await openChatStage(
    [
      update('Edited here.'),
      answer(`First.\n\n${'A line of a long answer.\n\n'.repeat(80)}`),
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
  await expect
    .poll(() => zoo.call('GET', '/api/agents/wizard'))
    .toMatchObject({
      systemPrompt: 'As a person wants it.',
    });
  const called = turn(page, 1).getByRole('button', { name: 'agent_zoo_update_agent' });
  await called.getByText('As a person wants it.').waitFor();
  await called.click();
  await turn(page, 1).getByText('Arguments, changed by you').waitFor();
  await turn(page, 1).getByText('Arguments of the model').waitFor();
  await called.click();

  // With its diff, the approval has its height: from then on it stays where it is.
  const complete = () => approval.getByRole('textbox', { name: 'Persona' }).waitFor();
  await say(page, 'Two');
  await complete();
  await page.getByRole('heading', { name: 'One', exact: true }).click();
  await approval.scrollIntoViewIfNeeded();
  await page.keyboard.press('d');
  const reason = approval.getByRole('textbox', { name: 'Why not?' });
  await expect.poll(() => reason.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('Leave it alone');
  await page.keyboard.press('Enter');
  await turn(page, 2).getByText('Second.', { exact: true }).waitFor();
  await turn(page, 2).getByText('Denied: “Leave it alone”').waitFor();
  expect(stage.model.requests.at(-1)?.messages.at(-1)?.text).toContain('Leave it alone');

  await say(page, 'Three');
  await complete();
  await page.getByRole('heading', { name: 'One', exact: true }).click();
  const thread = page.getByTestId('thread');
  const scrollUp = () => thread.evaluate((it) => it.scrollTo(0, 0));
  const isInView = () =>
    approval.evaluate((it) => {
      const { top, bottom } = it.getBoundingClientRect();
      return top < innerHeight && bottom > 0;
    });
  await expect.poll(() => scrollUp().then(isInView)).toBe(false);
  // Off the screen, the first press only brings it into view.
  await page.keyboard.press('a');
  await expect.poll(isInView).toBe(true);
  await page.getByRole('status', { name: 'Approvals' }).getByText('1 approval waits for you').waitFor();
  await page.keyboard.press('a');
  await turn(page, 3).getByText('Third.', { exact: true }).waitFor();
  await expect.poll(() => zoo.call('GET', '/api/agents/wizard')).toMatchObject({ systemPrompt: 'By key.' });
});

test('an approval for the chat ends with it, and one for always is kept', async () => {
  const twice = (name: string) => [update(name, 'pupil'), answer(`${name} done.`)];
  const steps = ['One', 'Two', 'Three', 'Four'].flatMap(twice);
  await using stage = await openChatStage(steps, { agents });
  const { page, zoo } = stage;
  const approval = page.getByRole('group', { name: 'Approval of agent_zoo_update_agent' });
  const ask = async (name: string, number: number, button: string | null): Promise<void> => {
    await say(page, name);
    if (button !== null) await approval.getByRole('button', { name: button, exact: true }).click();
    await turn(page, number).getByText(`${name} done.`, { exact: true }).waitFor();
    await expect.poll(() => zoo.call('GET', '/api/agents/pupil')).toMatchObject({ systemPrompt: name });
  };
  await stage.openChat('helper');
  await ask('One', 1, 'In this chat');
  await turn(page, 1).getByText('Allowed for this chat', { exact: true }).waitFor();
  await ask('Two', 2, null);
  await stage.openChat('helper');
  await ask('Three', 1, 'Always');
  await turn(page, 1).getByText('Always allowed for this agent', { exact: true }).waitFor();
  await stage.openChat('helper');
  await ask('Four', 1, null);
});

test('a question that a server asks during a call is answered in the chat', async () => {
  const waiter = { id: 'waiter', name: 'Waiter', tools: ['kitchen.order'], toolPermission: 'never' };
  const files = { '../config/zoo.toml': fixture('kitchen', 'modern') };
  await using stage = await openChatStage(
    [call('order', { as: 'Ann' }), (request) => answer(`It said ${lastResult(request)}`)],
    { agents: [waiter], files },
  );
  const { page } = stage;
  await stage.openChat('waiter');
  await say(page, 'Tea, please');
  const asked = turn(page, 1).getByRole('list', { name: 'Waits for you' });
  await asked.getByText(/What does Ann want\?/).waitFor();
  await asked.getByRole('textbox', { name: 'what' }).fill('green tea');
  await asked.getByRole('button', { name: 'Send', exact: true }).click();
  await turn(page, 1)
    .getByText(/^It said .*green tea/)
    .waitFor();
  await asked.waitFor({ state: 'detached' });
  await turn(page, 1)
    .getByRole('button', { name: /^kitchen\.order/ })
    .waitFor();
});
