import { expect, test } from 'vitest';
import { arrowTo, focused, press, tabTo } from './by-keyboard.ts';
import { openZoo } from './open-zoo.ts';

const wizard = {
  id: 'wizard',
  name: 'Code Wizard',
  systemPrompt: 'You code.',
  skills: [
    { id: 'types', name: 'Strict types', description: 'No any.' },
    { id: 'brief', name: 'Be brief', description: 'Few words.' },
  ],
};

test('an agent is edited from the persona to its history with the keyboard alone', async () => {
  await using zoo = await openZoo();
  await zoo.call('POST', '/api/agents', wizard);
  const { page } = zoo;
  await page.goto(`${zoo.url}/agent/wizard/persona`);
  await page.getByTestId('compiled-prompt').first().getByText('You code.').waitFor();
  await page.getByRole('textbox', { name: 'Persona' }).waitFor();
  await tabTo(page, 'Persona');
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Ask first.');
  await page.getByText('Draft: 1 change').waitFor();
  await press(page, 'Add argument');
  await tabTo(page, 'Name of the argument');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('language');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved, revision 2').waitFor();

  await press(page, '/agent/wizard/skills');
  await page.getByRole('switch', { name: 'Be brief' }).waitFor();
  await press(page, 'switch Be brief', 'Space');
  await page.getByRole('switch', { name: 'Be brief', checked: false }).waitFor();
  await press(page, 'More for Be brief');
  await page.getByRole('menuitem', { name: 'Move up' }).waitFor();
  await arrowTo(page, 'Move up');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => zoo.call('GET', '/api/agents/wizard/skills'))
    .toMatchObject({ skills: [{ id: 'brief' }, { id: 'types' }] });

  await press(page, '/agent/wizard/tools');
  await page.getByRole('textbox', { name: 'Add an entry' }).waitFor();
  await tabTo(page, 'Add an entry');
  await page.keyboard.type('agent_zoo_*');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Entries' }).getByText('agent_zoo_*', { exact: true }).waitFor();

  await press(page, '/agent/wizard/knowledge');
  await page.getByRole('heading', { name: 'Sources', exact: true }).waitFor();
  await press(page, 'All of the workspace', 'ArrowRight');
  await expect.poll(() => focused(page)).toBe('Only chosen ones');
  await page.keyboard.press('Space');
  await page.getByText('The agent can search and read only these, whoever calls it.').waitFor();

  await press(page, '/agent/wizard/published');
  await page.getByLabel('Name of a new tool').waitFor();
  await tabTo(page, 'Name of a new tool');
  await page.keyboard.type('review');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add parameter' }).waitFor();
  await press(page, 'Add parameter');
  await expect.poll(() => focused(page)).toBe('Name of the parameter');
  await page.keyboard.type('file');
  await tabTo(page, 'Prompt template');
  await page.keyboard.type('Review {file');
  await expect.poll(() => page.getByTestId('filled-prompt').textContent()).toBe('Review {file}');

  await press(page, '/agent/wizard/settings');
  await page.getByRole('radio', { name: 'tools' }).waitFor();
  await tabTo(page, 'mode interactive');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.getByRole('radio', { name: 'tools' }).isChecked()).toBe(true);
  await page.keyboard.press('Control+s');
  await page.getByText(/^Saved, revision/).waitFor();
  await expect
    .poll(() => zoo.call('GET', '/api/agents/wizard'))
    .toMatchObject({
      mode: 'tools',
      tools: expect.arrayContaining(['agent_zoo_*']),
      sources: [],
      arguments: [{ name: 'language' }],
      publishedTools: [{ name: 'review', prompt: 'Review {file}' }],
    });

  await press(page, '/agent/wizard/memory');
  await page.getByRole('button', { name: 'Add entry' }).waitFor();
  await press(page, 'Add entry');
  const entry = page.getByRole('form', { name: 'New entry' }).getByRole('textbox', { name: 'Text' });
  await expect.poll(() => entry.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('We deploy on Tuesdays.');
  await press(page, 'Add to memory');
  await page.getByRole('listitem').filter({ hasText: 'We deploy on Tuesdays.' }).waitFor();

  await press(page, '/agent/wizard/connect');
  await page.getByRole('textbox', { name: 'Where the token will be used' }).waitFor();
  await tabTo(page, 'Where the token will be used');
  await page.keyboard.type('Laptop');
  await page.keyboard.press('Enter');
  await page.getByText('Copy it now: it is not shown again.').waitFor();

  await press(page, '/agent/wizard/history');
  await page.getByRole('button', { name: 'Add a label to revision 1' }).waitFor();
  await press(page, 'Add a label to revision 1');
  await expect.poll(() => focused(page)).toBe('Label of revision 1');
  await page.keyboard.type('As it began');
  await page.keyboard.press('Enter');
  await page.getByText('As it began').waitFor();
  await page.keyboard.press('Control+k');
  await expect.poll(() => focused(page)).toBe('Search agents, pages, actions and documents');
  await page
    .getByRole('option', { name: /Show what the model gets/ })
    .getByText('Ctrl-E')
    .waitFor();
  await page.getByRole('option', { name: /^Memory/ }).waitFor();
  await page.keyboard.type('Zoo');
  await page.getByRole('option', { name: 'Zoo', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Zoo', exact: true }).waitFor();
});
