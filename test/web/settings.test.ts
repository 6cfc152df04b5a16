import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../temp-folder.ts';
import { holdToast, openZoo } from './open-zoo.ts';

const files = {
  'zoo.toml':
    '[agents.helper]\nsystem_prompt = "Help."\ntools = ["nonono"]\n\n[tools.mcp.clock]\ncommand = "node"\nargs = ["clock.js"]\n',
  'clock.js': 'process.stdin.resume();\n',
};

test('a workspace is approved as it is shown, and again after it has changed', async () => {
  await using zoo = await openZoo({ files, path: '/settings' });
  const { page } = zoo;
  await page.getByText('Nothing of this runs until you approve it.').waitFor();
  await page.getByText('clock.js').first().waitFor();
  await page.getByRole('button', { name: 'Approve all of it' }).click();
  await page.getByText('You approved the current version.').waitFor();
  await zoo.home.write('zoo.toml', files['zoo.toml'].replace('clock.js"]', 'clock.js", "--fast"]'));
  await page.getByText('It has changed since you approved it.').waitFor();
  await page.getByText('Changed since you approved it', { exact: true }).waitFor();
  await page.getByText('--fast').first().waitFor();
  await page.getByRole('button', { name: 'Approve all of it' }).click();
  await page.getByText('You approved the current version.').waitFor();
});

test('a problem in a file is shown with its line, and goes when it is put right', async () => {
  await using zoo = await openZoo({ files, path: '/settings' });
  const problems = zoo.page.getByRole('region', { name: 'Problems' });
  await problems.getByText(/nonono/).waitFor();
  await problems
    .getByText(/zoo\.toml:3/)
    .first()
    .waitFor();
  await zoo.home.write('zoo.toml', '[agents.helper]\nsystem_prompt = "Help."\n');
  await problems.getByText(/nonono/).waitFor({ state: 'detached' });
});

test('a token for one agent is made, shown once and revoked', async () => {
  const toml = '[agents.helper]\nsystem_prompt = "Help."\n';
  await using zoo = await openZoo({ files: { 'zoo.toml': toml }, path: '/settings' });
  const tokens = zoo.page.getByRole('region', { name: 'Tokens' });
  await tokens.getByRole('textbox', { name: 'New token' }).fill('Laptop');
  await tokens.getByRole('combobox', { name: 'Agent' }).selectOption('helper');
  await tokens.getByRole('button', { name: 'Create token' }).click();
  const token = await tokens.locator('pre').textContent();
  const reach = async (): Promise<number> =>
    (await fetch(`${zoo.url}/tools/list`, { headers: { authorization: `Bearer ${token}` } })).status;
  await expect.poll(reach).toBe(200);
  await tokens.getByText(/helper, made/).waitFor();
  await tokens.getByRole('button', { name: 'Revoke' }).click();
  await zoo.page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await tokens.getByText(/helper, made/).waitFor({ state: 'detached' });
  await expect.poll(reach).toBe(401);
});

test('a backup is made, downloaded and restored, and the restore is taken back', async () => {
  await using zoo = await openZoo();
  await zoo.call('POST', '/api/agents', { id: 'first', name: 'First' });
  const { page } = zoo;
  await page.goto(`${zoo.url}/settings`);
  const backups = page.getByRole('region', { name: 'Backup' });
  await backups.getByText('No backups yet.').waitFor();
  await backups.getByRole('button', { name: 'Create a backup' }).click();
  const rows = backups.getByRole('list', { name: 'Backups' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(1);
  const arriving = page.waitForEvent('download');
  await backups.getByRole('button', { name: 'Download' }).click();
  await using folder = await tempFolder({ 'other.db': 'no backup' });
  const saved = join(folder.path, 'saved.db');
  await (await arriving).saveAs(saved);
  expect((await readFile(saved)).subarray(0, 15).toString()).toBe('SQLite format 3');
  await zoo.call('POST', '/api/agents', { id: 'second', name: 'Second' });
  const question = page.getByRole('alertdialog', { name: 'Restore this backup?' });
  await rows.getByRole('button', { name: 'Restore' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => zoo.call('GET', '/api/agents?q=second')).toMatchObject({ total: 1 });
  await rows.getByRole('button', { name: 'Restore' }).click();
  await question.getByRole('button', { name: 'Restore' }).click();
  const toast = await holdToast(page, 'Restored the backup');
  await expect.poll(() => zoo.call('GET', '/api/agents?q=second')).toMatchObject({ total: 0 });
  await expect.poll(() => rows.count()).toBe(2);
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => zoo.call('GET', '/api/agents?q=second')).toMatchObject({ total: 1 });

  const input = backups.getByLabel('Backup to upload');
  await input.setInputFiles(join(folder.path, 'other.db'));
  await backups.getByText('The uploaded file is not a backup of Agent Zoo.').waitFor();
  await input.setInputFiles(saved);
  const uploaded = rows.filter({ hasText: /uploaded-/ });
  await uploaded.getByRole('button', { name: 'Restore' }).click();
  await question.getByRole('button', { name: 'Restore' }).click();
  // A hub that is killed before it has answered leaves its copy of the backup behind.
  await holdToast(page, 'Restored the backup');
  await expect.poll(() => zoo.call('GET', '/api/agents?q=second')).toMatchObject({ total: 0 });
});

test('a client that is found is connected and disconnected', async () => {
  await using zoo = await openZoo();
  await zoo.home.write('../.cursor/mcp.json', '{ "mcpServers": {} }');
  const { page } = zoo;
  await page.goto(`${zoo.url}/settings`);
  const clients = page.getByRole('region', { name: 'Clients' });
  await clients.getByRole('button', { name: 'Connect Cursor' }).click();
  await clients.getByRole('button', { name: 'Disconnect' }).click();
  await clients.getByRole('button', { name: 'Connect Cursor' }).waitFor();
});
