import { expect, test } from 'vitest';
import { holdToast, openZoo } from './open-zoo.ts';

test('permissions of single tools and A2A skills are drafted and saved', async () => {
  await using zoo = await openZoo();
  await zoo.call('POST', '/api/agents', { id: 'watch', name: 'Night watch', systemPrompt: 'Watch.' });
  const { page } = zoo;
  await page.goto(`${zoo.url}/agent/watch/settings`);
  await page.getByRole('radio', { name: 'autonomous' }).click();
  await page.getByLabel('Tool with a rule of its own').fill('search');
  await page.keyboard.press('Enter');
  await page.getByLabel('Permission of search').selectOption('Never runs');
  await page.getByLabel('Name of an A2A skill').fill('Watch builds');
  await page.keyboard.press('Enter');
  await page.getByLabel('Description of Watch builds').fill('Says why a build failed.');
  await page.getByLabel('Tags of Watch builds').fill('ci');
  await page.keyboard.press('Enter');
  await page.getByText('Draft: 3 changes').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved, revision 2').waitFor();
  await expect
    .poll(() => zoo.call('GET', '/api/agents/watch'))
    .toMatchObject({
      mode: 'autonomous',
      toolApprovals: { search: 'deny' },
      a2aSkills: [
        { id: 'watch-builds', name: 'Watch builds', description: 'Says why a build failed.', tags: ['ci'] },
      ],
    });
  await page.getByRole('button', { name: 'Remove Watch builds' }).click();
  const toast = await holdToast(page, 'Removed the A2A skill Watch builds.');
  await page.getByText('Draft: 1 change').waitFor();
  await toast.getByRole('button', { name: 'Undo' }).click();
  await page.getByLabel('Description of Watch builds').waitFor();
  await page.getByText('Saved, revision 2').waitFor();
  for (const [button, said] of [
    ['Remove ci', 'Removed ci.'],
    ['Remove the rule of search', 'Removed the rule of search.'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click();
    const offered = await holdToast(page, said);
    await page.getByText('Draft: 1 change').waitFor();
    await offered.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Saved, revision 2').waitFor();
  }

  // Two in a row: each is undone, the later one first.
  await page.getByLabel('Name of an A2A skill').fill('Watch logs');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Watch builds' }).click();
  await page.getByRole('button', { name: 'Remove Watch logs' }).click();
  const later = await holdToast(page, 'Removed the A2A skill Watch logs.');
  await later.getByRole('button', { name: 'Undo' }).click();
  await page.getByLabel('Description of Watch logs').waitFor();
  const earlier = await holdToast(page, 'Removed the A2A skill Watch builds.');
  await earlier.getByRole('button', { name: 'Undo' }).click();
  await page.getByLabel('Description of Watch builds').waitFor();
  await page.getByLabel('Description of Watch logs').waitFor();
  await page.getByRole('button', { name: 'Remove Watch logs' }).click();
  await page.getByText('Saved, revision 2').waitFor();

  await page.getByRole('button', { name: 'Remove Watch builds' }).click();
  const removed = await holdToast(page, 'Removed the A2A skill Watch builds.');
  await page.getByText('Draft: 1 change').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved, revision 3').waitFor();
  await removed.waitFor({ state: 'detached' });
  await expect.poll(() => zoo.call('GET', '/api/agents/watch')).toMatchObject({ a2aSkills: [] });
});
