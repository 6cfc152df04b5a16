import { expect, test } from 'vitest';
import { openZoo } from './open-zoo.ts';

const files = {
  'zoo.toml': '[connectors.filesystem.docs]\nroot = "docs"\n',
  'docs/deploy.md': '# Deploying\n\nRun `make release`.\n\n## Rollback\n\nFind the tag, then redeploy it.\n',
  'docs/globs.md': "# Globs\n\nCall `watch('**/*.js')` for rollback of scripts.\n",
};

test('a document is synced, found by its words and opened at the passage', async () => {
  await using zoo = await openZoo({ files, path: '/knowledge' });
  const { page } = zoo;
  await page.getByRole('button', { name: 'Sync all' }).click();
  await page.getByText('2 documents,').waitFor();

  await page.getByRole('searchbox', { name: 'Search documents' }).fill('rollback the release');
  await page.getByRole('heading', { name: 'Deploying' }).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('rollback the release');
  await page.locator('mark', { hasText: 'Rollback' }).first().waitFor();
  await expect.poll(() => page.getByText("watch('**/*.js')").count()).toBe(1);

  await page.getByText('Find the tag, then redeploy it.').first().click();
  const sheet = page.getByRole('dialog', { name: 'Deploying' });
  await sheet.getByText('7 lines').waitFor();
  await expect.poll(() => sheet.locator('li.bg-leaf-wash').first().textContent()).toContain('Rollback');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });

  await page.reload();
  await page.getByRole('heading', { name: 'Deploying' }).waitFor();
});

test('a source that fails says so, with its reason', async () => {
  const toml = '[connectors.filesystem.gone]\nroot = "not-there"\n';
  await using zoo = await openZoo({ files: { 'zoo.toml': toml }, path: '/knowledge' });
  await zoo.page.getByRole('button', { name: 'Sync', exact: true }).click();
  const source = zoo.page
    .getByRole('listitem')
    .filter({ has: zoo.page.getByRole('heading', { name: 'gone' }) });
  await source.getByText('Failed', { exact: true }).waitFor();
  await source
    .getByText(/not-there/)
    .last()
    .waitFor();
});
