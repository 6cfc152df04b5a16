import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openZoo } from './open-zoo.ts';

const files = {
  'zoo.toml': '# keep\n[connectors.filesystem.docs]\nroot = "docs"\n',
  'docs/deploy.md': '# Deploying\n\nRun `make release`. A rollback redeploys the previous tag.\n',
  'docs/payments.md': '# Payments\n\nRetries use an idempotency key per invoice.\n',
  'notes/tea.md': '# Tea\n\nGreen tea is brewed at seventy degrees.\n',
};

test('an agent is bound to sources, asks them in its prompt, and a question shows what it would find', async () => {
  await using zoo = await openZoo({ files });
  const { page } = zoo;
  await zoo.home.zoo(['sync']);
  await zoo.call('POST', '/api/agents', { id: 'wizard', name: 'Wizard', systemPrompt: 'Hello.' });
  await page.goto(`${zoo.url}/agent/wizard/knowledge`);
  await page.getByText('filesystem:docs').first().waitFor();
  await page.getByRole('button', { name: 'Add query' }).click();
  await page.getByRole('textbox', { name: 'Question' }).fill('rollback of a release');
  await page
    .getByText(/\d+ tokens in the prompt/)
    .first()
    .waitFor();
  await page
    .getByTestId('compiled-prompt')
    .getByText(/previous tag/)
    .waitFor();

  await page.getByRole('searchbox', { name: 'Try a question' }).fill('invoice retries');
  const found = page.getByRole('list', { name: 'Found' });
  await found.getByRole('link', { name: 'Payments' }).waitFor();

  await page.getByRole('button', { name: 'Only chosen ones' }).click();
  await page.getByRole('checkbox', { name: 'docs' }).click();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Saved, revision 2').waitFor();
  await expect
    .poll(() => zoo.call('GET', '/api/agents/wizard'))
    .toMatchObject({
      sources: [],
      context: [{ query: 'rollback of a release', limit: 3 }],
    });
});

test('a source is added with the diff shown first, and its documents are found', async () => {
  await using zoo = await openZoo({ files, path: '/knowledge' });
  const { page } = zoo;
  await page.getByRole('button', { name: 'Add a source' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add a source' });
  await sheet.getByRole('textbox', { name: 'Folder' }).fill('notes');
  await sheet.getByText('[connectors.filesystem.notes]').waitFor();
  await sheet.getByRole('button', { name: 'Write zoo.toml' }).click();
  await sheet.waitFor({ state: 'detached' });
  expect(readFileSync(join(zoo.home.work, 'zoo.toml'), 'utf8')).toBe(
    `${files['zoo.toml']}\n[connectors.filesystem.notes]\nroot = "notes"\n`,
  );
  await page.getByRole('heading', { name: 'notes' }).waitFor();
  await page.getByRole('button', { name: 'Sync all' }).click();
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('brewing green tea');
  await page.getByRole('heading', { name: 'Tea' }).waitFor();
});
