import { expect, test } from 'vitest';
import type { ModelRequest } from '../fake-model/wire-format.ts';
import { openChatStage, say, turn } from './chat-stage.ts';

const bySystem = ({ system }: ModelRequest) => ({ text: `I am ${system}`, again: true });

const byModel = (request: ModelRequest) => ({
  text: `${bySystem(request).text} on ${request.model}`,
  again: true,
});

test('revisions, agents and models answer the same prompt side by side', async () => {
  await using stage = await openChatStage([byModel], {
    agents: [
      { id: 'ada', name: 'Ada', systemPrompt: 'the first.', tools: ['sources'] },
      { id: 'bob', name: 'Bob', systemPrompt: 'Bob.', tools: ['sources'] },
    ],
  });
  const { page, zoo, model } = stage;
  await zoo.call('PATCH', '/api/agents/ada', { systemPrompt: 'the second.' });
  await page.goto(`${zoo.url}/compare?a=ada`);
  const column = (number: number) => page.getByRole('region', { name: `Column ${number}`, exact: true });
  await column(1).getByRole('combobox', { name: 'Revision of column 1' }).selectOption('Revision 1');
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Who are you?');
  await page.getByRole('button', { name: 'Run side by side' }).click();
  await column(1).getByText('I am the first. on').waitFor();
  await column(2).getByText('I am the second. on').waitFor();
  for (const number of [1, 2]) {
    const figures = column(number).locator('dl');
    await expect.poll(() => figures.textContent()).toMatch(/Tokens in\d+Tokens out\d+Cost.+Time[\d.]+ m?s/);
  }
  expect(model.requests).toHaveLength(2);

  await page.getByRole('button', { name: 'Add a column' }).click();
  await column(3).waitFor();
  await page.reload();
  await column(3).waitFor();
  expect(await column(1).getByRole('combobox', { name: 'Revision of column 1' }).inputValue()).toBe('1');

  await column(2).getByRole('combobox', { name: 'Agent of column 2' }).selectOption('Bob');
  const models = column(3).getByRole('combobox', { name: 'Model of column 3' });
  await expect.poll(() => models.locator('option').count()).toBeGreaterThan(1);
  const offered = (await models.locator('option').allTextContents()).at(-1) ?? '';
  await models.selectOption(offered);
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Who are you now?');
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).press('Control+Enter');
  await column(1).getByText('I am the first. on').waitFor();
  await column(2).getByText('I am Bob. on').waitFor();
  const model3 = offered.split('/').at(-1) ?? '';
  await column(3).getByText(`I am the second. on ${model3}`, { exact: true }).waitFor();
});

test('a conversation is replayed against another revision, and a chat runs the unsaved draft', async () => {
  await using stage = await openChatStage([bySystem], {
    agents: [{ id: 'ada', name: 'Ada', systemPrompt: 'the first.', tools: ['sources'] }],
  });
  const { page, zoo } = stage;
  await zoo.call('PATCH', '/api/agents/ada', { systemPrompt: 'the second.' });
  await stage.openChat('ada');
  await say(page, 'Who are you?');
  await turn(page, 1).getByText('I am the second.').waitFor();
  await say(page, 'Really?');
  await turn(page, 2).getByText('I am the second.').waitFor();
  await page.getByRole('button', { name: 'Replay, export, delete' }).click();
  await page.getByRole('menuitem', { name: 'Replay against revision 1' }).click();
  await page.getByRole('heading', { name: 'Who are you? (revision 1)' }).waitFor();
  await turn(page, 1).getByText('I am the first.').waitFor();
  await turn(page, 2).getByText('Really?').waitFor();
  await turn(page, 2).getByText('I am the first.').waitFor();

  await page.goto(`${zoo.url}/agent/ada/persona`);
  const persona = page.getByRole('textbox', { name: 'Persona' });
  await persona.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('only drafted.');
  await page.getByText('Draft: 1 change').waitFor();
  await page.getByRole('link', { name: 'Chat with the draft' }).click();
  await page.getByRole('checkbox', { name: /Run the unsaved draft/ }).waitFor();
  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.getByText('Unsaved draft', { exact: true }).waitFor();
  await say(page, 'Who are you?');
  await turn(page, 1).getByText('I am only drafted.').waitFor();
  await expect.poll(() => zoo.call('GET', '/api/agents/ada')).toMatchObject({ systemPrompt: 'the second.' });
});
