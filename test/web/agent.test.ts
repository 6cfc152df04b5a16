import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { holdToast, openZoo } from './open-zoo.ts';

const wizard = {
  id: 'wizard',
  name: 'Code Wizard',
  systemPrompt: 'You are a coding assistant.',
  skills: [
    { id: 'brief', name: 'Be brief', description: 'Few words.' },
    { id: 'tests', name: 'Test first', description: 'A failing test comes first.' },
  ],
};

const persona = (page: Page) => page.getByRole('textbox', { name: 'Persona', exact: true });
const compiled = (page: Page) => page.getByTestId('compiled-prompt').first();
const typeAtEnd = async (page: Page, text: string): Promise<void> => {
  await persona(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
};

async function openWizard() {
  const zoo = await openZoo();
  await zoo.call('POST', '/api/agents', wizard);
  await zoo.page.goto(`${zoo.url}/agent/wizard/persona`);
  await compiled(zoo.page).getByText('You are a coding assistant.').waitFor();
  return zoo;
}

test('typed text is in the compiled prompt, and Ctrl-S saves it', async () => {
  await using zoo = await openWizard();
  const { page } = zoo;
  await typeAtEnd(page, ' Ask first.');
  await compiled(page).getByText('You are a coding assistant. Ask first.').waitFor();
  await page.getByText('Draft: 1 change').waitFor();
  await expect
    .poll(() => zoo.call('GET', '/api/agents/wizard'))
    .toMatchObject({ systemPrompt: wizard.systemPrompt });
  await page.keyboard.press('Control+s');
  const toast = await holdToast(page, 'Saved revision 2.');
  await page.getByText('Saved, revision 2').waitFor();
  const saved = await zoo.call('GET', '/api/agents/wizard');
  expect(saved).toMatchObject({ systemPrompt: 'You are a coding assistant. Ask first.' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Saved, revision 3').waitFor();
  await expect
    .poll(() => zoo.call('GET', '/api/agents/wizard'))
    .toMatchObject({ systemPrompt: wizard.systemPrompt });

  // The browser's storage is full: the draft is in memory, with a warning until it is saved. The theme is no work.
  await page.evaluate(
    `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }`,
  );
  const warning = page.getByRole('status').getByText('This browser’s storage is full or blocked');
  await page.getByRole('button', { name: 'Theme: System' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await page.getByRole('button', { name: 'Theme: Dark' }).waitFor();
  expect(await warning.count()).toBe(0);
  await typeAtEnd(page, ' Ask twice.');
  await warning.waitFor();
  await compiled(page).getByText('You are a coding assistant. Ask twice.').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved, revision 4').waitFor();
  await warning.waitFor({ state: 'detached' });
});

test('a draft survives a killed hub, a reload and a closed window', async () => {
  await using zoo = await openWizard();
  await typeAtEnd(zoo.page, ' One.');
  await zoo.kill();
  await typeAtEnd(zoo.page, ' Two.');
  await zoo.page.getByRole('status').getByText('The hub is not responding').waitFor();
  // A page whose script was not loaded yet opens when the hub is back.
  await zoo.page.getByRole('link', { name: 'Activity', exact: true }).click();
  await zoo.page.getByRole('status', { name: 'Loading' }).waitFor();
  await zoo.restart();
  await zoo.page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
  await zoo.page.goBack();
  await compiled(zoo.page).getByText('assistant. One. Two.').waitFor();
  await zoo.page.reload();
  await persona(zoo.page).getByText('assistant. One. Two.').waitFor();
  await zoo.page.close();
  const window = await zoo.openWindow('/agent/wizard/persona');
  await persona(window).getByText('assistant. One. Two.').waitFor();
  await window.keyboard.press('Control+s');
  await window.getByText('Saved, revision 2').waitFor();
});

test('the second of two windows that edit one agent sees both versions and chooses', async () => {
  await using zoo = await openWizard();
  const second = await zoo.openWindow('/agent/wizard/persona');
  await typeAtEnd(zoo.page, ' From the first.');
  await typeAtEnd(second, ' From the second.');
  await zoo.page.keyboard.press('Control+s');
  await zoo.page.getByText('Saved, revision 2').waitFor();
  await second.getByText('Changed elsewhere').first().waitFor();
  await second.keyboard.press('Control+s');
  const sheet = second.getByRole('dialog');
  await sheet.getByText('assistant. From the first.').waitFor();
  await sheet.getByText('assistant. From the second.').waitFor();
  await sheet.getByRole('button', { name: 'Keep mine' }).click();
  await second.getByText('Draft: 1 change').waitFor();
  await second.keyboard.press('Control+s');
  await second.getByText('Saved, revision 3').waitFor();
  await persona(zoo.page).getByText('assistant. From the second.').waitFor();
});

test('changes of different fields in two windows are merged', async () => {
  await using zoo = await openWizard();
  await typeAtEnd(zoo.page, ' Mine.');
  await zoo.call('PATCH', '/api/agents/wizard', { description: 'Theirs' });
  await zoo.page.keyboard.press('Control+s');
  await zoo.page.getByText('Saved, revision 3').waitFor();
  await expect
    .poll(() => zoo.call('GET', '/api/agents/wizard'))
    .toMatchObject({
      description: 'Theirs',
      systemPrompt: 'You are a coding assistant. Mine.',
    });
});

test('a skill that is switched in one window switches in the other', async () => {
  await using zoo = await openWizard();
  await zoo.page.getByRole('link', { name: 'Skills' }).click();
  const second = await zoo.openWindow('/agent/wizard/skills');
  const brief = (page: Page) => page.getByRole('switch', { name: 'Be brief' });
  const tests = (page: Page) => page.getByRole('switch', { name: 'Test first' });
  await tests(second).waitFor();
  await Promise.all([brief(zoo.page).click(), tests(second).click()]);
  const toast = await holdToast(zoo.page, 'Be brief is off.');
  await expect.poll(() => brief(second).getAttribute('aria-checked')).toBe('false');
  await expect.poll(() => tests(zoo.page).getAttribute('aria-checked')).toBe('false');
  await compiled(zoo.page).getByText('Few words.').waitFor({ state: 'detached' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => brief(second).getAttribute('aria-checked')).toBe('true');
});

test('a restored revision fills only the draft until it is saved, and a deleted agent can be undeleted', async () => {
  await using zoo = await openWizard();
  await zoo.call('PATCH', '/api/agents/wizard', { systemPrompt: 'Changed.' });
  const { page } = zoo;
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Compare with current' }).last().click();
  await page.getByText('Differs in persona.').waitFor();
  await page.getByRole('button', { name: 'Restore 1 into the draft' }).click();
  await page.getByText('Draft: 1 change').waitFor();
  await expect.poll(() => zoo.call('GET', '/api/agents/wizard')).toMatchObject({ systemPrompt: 'Changed.' });
  await page.keyboard.press('Control+s');
  await page.getByText('Saved, revision 3').waitFor();
  await expect
    .poll(() => zoo.call('GET', '/api/agents/wizard'))
    .toMatchObject({ systemPrompt: wizard.systemPrompt });

  await zoo.call('DELETE', '/api/agents/wizard');
  await page.goto(`${zoo.url}/agent/wizard/history`);
  await page.getByRole('heading', { name: 'This agent was deleted' }).waitFor();
  await page.getByRole('button', { name: 'Undelete' }).click();
  await page.getByRole('heading', { name: 'Code Wizard' }).waitFor();
  await page.getByText('Undeleted').waitFor();
});
