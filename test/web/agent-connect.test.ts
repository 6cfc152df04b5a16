import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callAsClient } from './call-as-client.ts';
import { holdToast, openZoo } from './open-zoo.ts';

test('a client is connected in one click, and its first call appears without a reload', async () => {
  await using zoo = await openZoo();
  const { page } = zoo;
  const { HOME = '' } = zoo.home.env;
  mkdirSync(join(HOME, '.cursor'), { recursive: true });
  await zoo.call('POST', '/api/agents', { id: 'wizard', name: 'Wizard', systemPrompt: 'Hello.' });
  await page.goto(`${zoo.url}/agent/wizard/connect`);
  await page.getByRole('button', { name: 'Connect Cursor' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Cursor' });
  await row.getByText('connected', { exact: true }).waitFor();
  await row.getByText('Waiting for its first call.').waitFor();
  const file = join(HOME, '.cursor', 'mcp.json');
  expect(readFileSync(file, 'utf8')).toContain('"agent-zoo-wizard"');
  await row.getByRole('button', { name: 'Show config entry' }).click();
  await row.getByText('zoo connect cursor --agent wizard').waitFor();
  expect(await row.getByRole('link', { name: 'Install in one click' }).getAttribute('href')).toMatch(
    /^cursor:/,
  );

  await page.getByRole('textbox', { name: 'Where the token will be used' }).fill('Laptop');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByText('Copy it now: it is not shown again.').waitFor();
  const address = page.getByRole('region', { name: 'Any other MCP client' });
  const token = (await address.locator('pre').last().textContent()) ?? '';
  await callAsClient('cursor-vscode', { url: `${zoo.url}/mcp/wizard`, token }, (client) =>
    client.listTools(),
  );
  await row.getByText(/^Used this agent /).waitFor();
  const tokens = page.getByRole('list', { name: 'Tokens' });
  await tokens.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await tokens.waitFor({ state: 'detached' });

  await row.getByRole('button', { name: 'Disconnect' }).click();
  const toast = await holdToast(page, 'Disconnected Cursor');
  await row.getByRole('button', { name: 'Connect Cursor' }).waitFor();
  expect(existsSync(file) && readFileSync(file, 'utf8')).not.toContain('agent-zoo-wizard');
  await toast.getByRole('button', { name: 'Undo' }).click();
  await row.getByText('connected', { exact: true }).waitFor();
  expect(readFileSync(file, 'utf8')).toContain('"agent-zoo-wizard"');
});
