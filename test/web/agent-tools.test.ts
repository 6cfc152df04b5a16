import { expect, test } from 'vitest';
import { holdToast, openZoo } from './open-zoo.ts';

const files = {
  'zoo.toml':
    '[tools.groups]\nreading = ["search", "get"]\n\n[agents.filed]\nsystem_prompt = "Hello."\ntools = ["reading", "away.tool"]\n',
};

test('a scope is changed by search, by tool and by entry, and says why each tool is in or out', async () => {
  await using zoo = await openZoo({ files });
  const { page } = zoo;
  await zoo.call('POST', '/api/agents', { id: 'wizard', name: 'Wizard', tools: null });
  await page.goto(`${zoo.url}/agent/wizard/tools`);
  await page.getByText(/No list, so the default: the \d+ read-only tools of the hub itself\./).waitFor();
  const search = page.getByRole('searchbox', { name: 'Search all tools' });
  await page.getByRole('button', { name: 'No tools' }).click();
  await page.getByText('An empty list: no tools at all.').waitFor();
  await search.fill('brain');
  const box = page.getByRole('checkbox', { name: 'agent_zoo_query_brain_entries' });
  await box.waitFor();
  await expect.poll(() => box.isChecked()).toBe(false);
  await page.getByRole('button', { name: /Grant all \d+ shown/ }).click();
  await page.getByText('In: it is granted by').first().waitFor();
  const entries = page.getByRole('list', { name: 'Entries' });
  const granted = entries.getByText('agent_zoo_query_brain_entries');
  await page.getByRole('button', { name: 'Revoke all shown' }).click();
  const revoked = await holdToast(page, 'Revoked');
  await granted.waitFor({ state: 'detached' });
  await revoked.getByRole('button', { name: 'Undo' }).click();
  await granted.waitFor();
  await box.click();
  await entries.getByText('agent_zoo_query_brain_entries').waitFor({ state: 'detached' });
  await page.getByText('Out: no entry of its tools list matches it').waitFor();

  await page.getByRole('textbox', { name: 'Add an entry' }).fill('agent_zoo_*');
  await page.keyboard.press('Enter');
  await entries.getByText('glob').waitFor();
  await page.getByText("In: it is granted by 'agent_zoo_*'.").first().waitFor();
  const glob = page.getByRole('button', { name: 'Remove agent_zoo_*', exact: true });
  await glob.click();
  const removed = await holdToast(page, 'Removed agent_zoo_*.');
  await glob.waitFor({ state: 'detached' });
  await removed.getByRole('button', { name: 'Undo' }).click();
  await glob.waitFor();
  await page.getByText("In: it is granted by 'agent_zoo_*'.").first().waitFor();
  await box.click();
  await entries.getByText('!agent_zoo_query_brain_entries').waitFor();
  await page.getByText("Out: it is excluded by '!agent_zoo_query_brain_entries'.").waitFor();

  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Saved, revision 2').waitFor();
  const { tools } = Object(await zoo.call('GET', '/api/agents/wizard'));
  expect(tools).toContain('!agent_zoo_query_brain_entries');
});

test('an agent in a file shows its scope, and keeps a grant whose server is away', async () => {
  await using zoo = await openZoo({ files, path: '/agent/filed/tools' });
  const { page } = zoo;
  const entries = page.getByRole('list', { name: 'Entries' });
  await entries.getByText('not available').waitFor();
  await entries.getByText('away.tool').waitFor();
  await page.getByText("In: it is granted by 'reading': the group 'reading' has 'search'.").waitFor();
  const search = page.getByRole('checkbox', { name: 'search', exact: true });
  await expect.poll(() => search.isChecked()).toBe(true);
  await expect.poll(() => search.isDisabled()).toBe(true);
});
