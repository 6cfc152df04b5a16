import { createServer } from 'node:http';
import { test } from 'vitest';
import { openZoo } from './open-zoo.ts';

test('the command palette finds documents by what they are about', async () => {
  const files = {
    'zoo.toml': '[connectors.filesystem.docs]\nroot = "docs"\n',
    'docs/deploy.md': '# Deploying\n\nA rollback redeploys the previous tag.\n',
  };
  await using zoo = await openZoo({ files });
  const { page } = zoo;
  await zoo.home.zoo(['sync']);
  await page.getByRole('heading', { name: 'Zoo', exact: true }).waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: /^Search agents, pages/ }).fill('rollback');
  await page.getByRole('option', { name: /Deploying/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Deploying' }).waitFor();
});

test('a creature is unwell after a run that failed', async () => {
  // A provider that refuses every request: the run fails at once.
  const provider = createServer((_request, response) => response.writeHead(400).end('{}'));
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const address = provider.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const toml = `[providers.nobody]\nbase_url = "http://127.0.0.1:${port}/v1"\napi_key = "x"\n`;
  await using zoo = await openZoo({ files: { 'zoo.toml': toml } });
  const { page } = zoo;
  await zoo.home.zoo(['trust', '--yes']);
  await zoo.call('POST', '/api/agents', { id: 'wizard', name: 'Wizard', systemPrompt: 'Hello.' });
  await page.goto(`${zoo.url}/agent/wizard/persona`);
  await page.getByRole('img', { name: /^Wizard, .*awake$/ }).waitFor();
  await zoo.home.zoo(['run', 'wizard', 'Hi', '--model', 'nobody/none']);
  await page.getByRole('img', { name: /^Wizard, .*unwell: its last run failed$/ }).waitFor();
  await new Promise((resolve) => provider.close(resolve));
});
