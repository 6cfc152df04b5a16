import { expect, test } from 'vitest';
import { holdToast, openZoo } from './open-zoo.ts';

test('memory is written, pinned into the prompt, edited, filtered and deleted with undo', async () => {
  await using zoo = await openZoo();
  const { page } = zoo;
  await zoo.call('POST', '/api/agents', { id: 'wizard', name: 'Wizard', systemPrompt: 'Hello.' });
  await page.goto(`${zoo.url}/agent/wizard/memory`);
  await page.getByText('No memories yet').waitFor();
  await page.getByRole('button', { name: 'Add entry' }).click();
  const form = page.getByRole('form', { name: 'New entry' });
  await form.getByRole('textbox', { name: 'Text' }).fill('We deploy on Tuesdays.');
  await form.getByRole('textbox', { name: 'Tags' }).fill('ops, habits');
  await form.getByRole('button', { name: 'Add to memory' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'We deploy on Tuesdays.' });
  await entry.getByText('habits').waitFor();
  await entry.getByRole('button', { name: 'Pin into every prompt' }).click();
  await page.getByRole('region', { name: 'Pinned, in every prompt' }).waitFor();
  await page
    .getByTestId('compiled-prompt')
    .getByText(/We deploy on Tuesdays/)
    .waitFor();

  // Another surface writes: the timeline follows.
  await zoo.call('POST', '/api/agents/wizard/brain', { type: 'milestone', content: 'First release.' });
  await page.getByRole('listitem').filter({ hasText: 'First release.' }).waitFor();
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('milestone');
  await entry.waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('all');

  await entry.getByRole('button', { name: 'Edit' }).click();
  const editing = page.getByRole('form', { name: 'Edit the entry' });
  await editing.getByRole('textbox', { name: 'Text' }).fill('We deploy on Mondays.');
  await editing.getByRole('button', { name: 'Save entry' }).click();
  await editing.waitFor({ state: 'detached' });
  const changed = page.getByRole('listitem').filter({ hasText: 'We deploy on Mondays.' });
  const pinned = await zoo.call('GET', '/api/agents/wizard/brain?pinned=true');
  await changed.getByRole('button', { name: 'Delete' }).click();
  const toast = await holdToast(page, 'Deleted the entry.');
  await changed.waitFor({ state: 'detached' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await changed.waitFor();
  expect(pinned).toMatchObject({ entries: [{ content: 'We deploy on Mondays.', tags: ['ops', 'habits'] }] });
  await expect.poll(() => zoo.call('GET', '/api/agents/wizard/brain?pinned=true')).toEqual(pinned);
});
