import { test } from 'vitest';
import { openZoo } from './open-zoo.ts';

const files = { 'zoo.toml': '[agents.helper]\nsystem_prompt = "Help."\n' };

test('a call appears by itself, can be filtered and read in full', async () => {
  await using zoo = await openZoo({ files, path: '/activity' });
  const { page } = zoo;
  await page.getByText('Nothing has been called yet').waitFor();
  await zoo.call('POST', '/tools/agent_zoo_list_agents', {});
  await zoo.call('POST', '/tools/get', { id: 'nowhere' }).catch(() => undefined);
  await page.getByRole('button', { name: /agent_zoo_list_agents/ }).waitFor();

  await page.getByRole('checkbox', { name: 'Failed only' }).click();
  await page.getByRole('button', { name: /agent_zoo_list_agents/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /get.*Failed/ }).click();
  const sheet = page.getByRole('dialog', { name: 'get' });
  await sheet.getByText('"id": "nowhere"').waitFor();
  await sheet.getByText('document_not_found').waitFor();
});
