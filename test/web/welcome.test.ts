import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { openZoo } from './open-zoo.ts';

interface Entry {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

test('a new hub leads from a template to the first call of a real client, which the page sees', async () => {
  await using zoo = await openZoo();
  const { page } = zoo;
  const { HOME = '', PATH = '' } = zoo.home.env;
  mkdirSync(join(HOME, '.cursor'), { recursive: true });
  await page.getByRole('link', { name: 'Take the first steps' }).click();
  await page.getByRole('region', { name: 'From a template' }).getByRole('button').first().click();
  await page.getByLabel('The prompt', { exact: true }).waitFor();
  const agentId = new URL(page.url()).searchParams.get('agent') ?? '';
  await expect
    .poll(() => page.getByLabel('The prompt', { exact: true }).textContent())
    .toContain(`agentId=${agentId}`);

  await page.getByRole('button', { name: 'Connect Cursor' }).click();
  await page.getByText('Waiting for its first call.').waitFor();
  // As Cursor does it: the entry that the page has written is started, and spoken to.
  const file: { mcpServers: Record<string, Entry> } = JSON.parse(
    readFileSync(join(HOME, '.cursor', 'mcp.json'), 'utf8'),
  );
  const { command, args, env = {} } = file.mcpServers[`agent-zoo-${agentId}`] ?? { command: '', args: [] };
  const client = new Client({ name: 'cursor-vscode', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command,
      args: args.map((arg) => arg.replace('${workspaceFolder}', zoo.home.work)),
      env: { PATH, HOME, ...env },
      cwd: zoo.home.work,
    }),
  );
  const { messages } = await client.getPrompt({ name: agentId });
  expect(JSON.stringify(messages)).toContain('text');
  await page.getByText(/Cursor has called .+\. It works\./).waitFor();
  await client.close();

  await page.getByRole('link', { name: 'Go to the zoo' }).click();
  await page.getByRole('heading', { name: 'Zoo', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Take the first steps' }).waitFor({ state: 'detached' });
});

test('agents that the workspace suggests come first, and one is described in own words', async () => {
  const toml =
    '[workspace]\ndefault_agent = "zebra"\nsuggested = ["yak"]\n\n[agents.aardvark]\nsystem_prompt = "A."\n[agents.yak]\nsystem_prompt = "Y."\n[agents.zebra]\nsystem_prompt = "Z."\n';
  await using zoo = await openZoo({ files: { 'zoo.toml': toml } });
  const { page } = zoo;
  await page.getByText('default · zoo.toml').waitFor();
  const names = page.locator('li .font-serif');
  await expect.poll(async () => (await names.allTextContents()).slice(0, 2)).toEqual(['zebra', 'yak']);

  await page.goto(`${zoo.url}/welcome`);
  await page.getByText('The default of this workspace.').waitFor();
  const form = page.getByRole('form', { name: 'Describe your own' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Release scribe');
  await form.getByRole('textbox', { name: 'Persona' }).fill('You write release notes.');
  // Clicked twice, before any answer can have come: one agent.
  await form.getByRole('button', { name: 'Create agent' }).focus();
  await page.evaluate(`(async () => {
    const button = document.activeElement;
    button.click();
    for (let turn = 0; turn < 50; turn += 1) await null;
    button.click();
  })()`);
  await page.getByLabel('The prompt', { exact: true }).getByText('You write release notes.').waitFor();
  const { agents } = Object(await zoo.call('GET', '/api/agents'));
  expect(agents.map(({ id }: { id: string }) => id).filter((id: string) => id.includes('scribe'))).toEqual([
    'release-scribe',
  ]);
});
