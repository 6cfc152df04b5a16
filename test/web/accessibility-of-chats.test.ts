import { expect, test } from 'vitest';
import { call, say as answer } from '../fake-model/script.ts';
import { findingsOf } from './axe-findings.ts';
import { cutTexts } from './cut-texts.ts';
import { message, openChatStage, say, turn } from './chat-stage.ts';

const agents = [
  {
    id: 'ada',
    name: 'Ada',
    systemPrompt: 'You are Ada.',
    tools: ['sources', 'agent_zoo_create_agent'],
    skills: [{ id: 'brief', name: 'Be brief', description: 'Short.', enabled: true }],
  },
];
const table = '| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nconst a = 1;\n```\n\n$x^2$';

test.each(['light', 'dark'] as const)(
  'axe finds nothing serious in chats and comparisons, in the %s theme',
  async (theme) => {
    const steps = [call('sources'), answer(table), call('agent_zoo_create_agent', { name: 'New' })];
    await using stage = await openChatStage(steps, { agents });
    const { page, zoo } = stage;
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    const check = async (where: string): Promise<void> => {
      expect({ where, findings: await findingsOf(page) }).toEqual({ where, findings: [] });
    };
    await page.goto(`${zoo.url}/chat?agent=ada`);
    await page.getByRole('button', { name: 'Start chat' }).waitFor();
    await check('a new chat');
    await page.goto(`${zoo.url}/compare?a=ada`);
    await page.getByRole('region', { name: 'Column 2', exact: true }).waitFor();
    await check('a comparison');
    await stage.openChat('ada');
    await say(page, 'Show a table');
    await turn(page, 1).locator('math').waitFor();
    await turn(page, 1)
      .getByRole('button', { name: /^sources/ })
      .click();
    await turn(page, 1).getByRole('button', { name: 'Copy arguments' }).waitFor();
    await check('an answer');
    await turn(page, 1).getByRole('button', { name: 'Context' }).click();
    await page.getByRole('dialog').getByText('the persona of the agent').waitFor();
    await check('the context');
    await page.keyboard.press('Escape');
    await say(page, 'Make an agent');
    const approval = page.getByRole('group', { name: 'Approval of agent_zoo_create_agent' });
    await approval.getByText('Creates the agent “New”.').waitFor();
    await check('an approval');
  },
);

test('a chat is started, answered and stopped with the keyboard alone, on a narrow screen too', async () => {
  await using stage = await openChatStage(
    [answer('Hello.'), call('agent_zoo_create_agent', { name: 'New' })],
    {
      agents,
      width: 390,
    },
  );
  const { page, zoo } = stage;
  await page.goto(`${zoo.url}/chat?agent=ada`);
  await page.getByRole('button', { name: 'Start chat' }).focus();
  await page.keyboard.press('Enter');
  await message(page).waitFor();
  await message(page).focus();
  await page.keyboard.type('Hello');
  await page.keyboard.press('Enter');
  await turn(page, 1).getByText('Hello.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await page.keyboard.type('Make an agent');
  await page.keyboard.press('Enter');
  const approval = page.getByRole('group', { name: 'Approval of agent_zoo_create_agent' });
  await approval.waitFor();
  const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  const buttons = page.getByRole('button', { name: /^(Stop|Queue)$/ });
  const thread = page.getByTestId('thread');
  const atEnd = () => thread.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop < 50);
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 640 });
    await expect.poll(atEnd).toBe(true);
    await expect.poll(isWide).toBe(false);
    await expect.poll(async () => ({ width, cut: await cutTexts(page) })).toEqual({ width, cut: [] });
    const areInside = async (): Promise<boolean[]> =>
      Promise.all(
        (await buttons.all()).map(async (button) => {
          const box = await button.boundingBox();
          return box !== null && box.x + box.width <= width && box.y + box.height <= 640;
        }),
      );
    await expect.poll(areInside).toEqual([true, true]);
  }
  await page.getByRole('button', { name: 'Stop' }).focus();
  await page.keyboard.press('Enter');
  await turn(page, 2).getByText('Stopped. The text so far is kept.').waitFor();
  await page.goto(`${zoo.url}/compare?a=ada`);
  await page.getByRole('region', { name: 'Column 2', exact: true }).waitFor();
  await expect.poll(isWide).toBe(false);
});
