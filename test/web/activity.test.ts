import { test } from 'vitest';
import { callAsClient } from './call-as-client.ts';
import { openZoo } from './open-zoo.ts';

const files = { 'zoo.toml': '[agents.helper]\nsystem_prompt = "Help."\n' };

test('a call appears by itself, can be filtered and read in full', async () => {
  await using zoo = await openZoo({ files, path: '/activity' });
  const { page } = zoo;
  await page.getByText('No calls yet').waitFor();
  await zoo.call('POST', '/tools/agent_zoo_list_agents', {});
  await zoo.call('POST', '/tools/get', { id: 'nowhere' }).catch(() => undefined);
  await page.getByRole('button', { name: /agent_zoo_list_agents/ }).waitFor();

  await page.getByRole('checkbox', { name: 'Failed only' }).click();
  await page.getByRole('button', { name: /agent_zoo_list_agents/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /get.*Failed/ }).click();
  const sheet = page.getByRole('dialog', { name: 'get' });
  await sheet.getByText('"id": "nowhere"').waitFor();
  await sheet.getByText('document_not_found').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'Failed only' }).click();

  const token = (await zoo.home.zoo(['token'])).out.trim();
  await callAsClient('claude-code', { url: `${zoo.url}/mcp`, token }, (client) =>
    client.callTool({ name: 'sources', arguments: {} }),
  );
  const calls = page.getByRole('list', { name: 'Calls' });
  await calls.getByRole('button', { name: /sources.*claude-code/ }).waitFor();
  await calls.getByRole('button', { name: /agent_zoo_list_agents/ }).waitFor();
  await page.getByRole('combobox', { name: 'Client' }).selectOption('claude-code');
  await calls.getByRole('button', { name: /agent_zoo_list_agents/ }).waitFor({ state: 'detached' });
  await calls.getByRole('button', { name: /sources.*claude-code/ }).waitFor();
});
