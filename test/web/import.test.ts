import { expect, test } from 'vitest';
import { tempFolder } from '../temp-folder.ts';
import { holdToast, openZoo } from './open-zoo.ts';

const folder = {
  '.claude/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Reviews changes\ntools: Read, Grep\n---\nYou review code.\n',
  'zoo.toml': '[agents.scribe]\nname = "Scribe"\nsystem_prompt = "Write notes."\n\n[server]\nbind = "x"\n',
  'travel.json': '{"metadata": {"name": "Travel desk", "tools": [{"name": "book", "prompt": "Book."}]}}',
  'notes.txt': 'no agent',
  'huge.json': ' '.repeat(1_200_000),
  'README.md': '# Notes\n\nNo agent either.\n',
};

test('a folder of agents is seen before it is imported, and the import can be taken back', async () => {
  await using agents = await tempFolder(folder);
  await using zoo = await openZoo();
  await zoo.call('POST', '/api/agents', { id: 'scribe', name: 'My scribe', systemPrompt: 'Mine.' });
  const { page } = zoo;
  await page.getByRole('button', { name: 'Import' }).first().click();
  await page.locator('input[aria-label="Folder to import"]').setInputFiles(agents.path);
  const found = page.getByRole('list', { name: 'Agents found' });
  await expect
    .poll(() =>
      found
        .getByRole('listitem')
        .filter({ has: page.locator('select') })
        .count(),
    )
    .toBe(3);
  await found.getByText('An agent with this id is in the editor.').waitFor();
  await found.getByText('[server] is not an agent and was not imported').waitFor();
  await page.getByRole('heading', { name: 'Not imported' }).waitFor();
  await page.getByText('larger than 1 MB').waitFor();
  expect(await zoo.call('GET', '/api/agents')).toMatchObject({ total: 2 });

  await page.getByLabel('What to do with Scribe').selectOption('Replace the one that is there');
  await page.getByRole('button', { name: 'Import 3 agents' }).click();
  const toast = await holdToast(page, 'Imported 3 agents.');
  await page.getByRole('link', { name: /Travel desk/ }).waitFor();
  expect(await zoo.call('GET', '/api/agents/scribe')).toMatchObject({
    systemPrompt: 'Write notes.',
    revision: 2,
  });
  expect(await zoo.call('GET', '/api/agents/reviewer')).toMatchObject({ systemPrompt: 'You review code.' });

  await toast.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: /Travel desk/ }).waitFor({ state: 'detached' });
  await expect
    .poll(() => zoo.call('GET', '/api/agents/scribe'))
    .toMatchObject({ systemPrompt: 'Mine.', revision: 3 });
});

test('files that are dropped on the zoo are read', async () => {
  await using zoo = await openZoo();
  const { page } = zoo;
  await page.getByRole('heading', { name: 'Zoo' }).waitFor();
  await page.getByRole('button', { name: 'Import' }).first().waitFor();
  const carried = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'reviewer.md', { type: 'text/markdown' }));
    return transfer;
  }, folder['.claude/agents/reviewer.md']);
  const drag = (type: string) => page.dispatchEvent('body', type, { dataTransfer: carried });
  await drag('dragenter');
  await page.getByText('Drop to see what these files hold').waitFor();
  await drag('drop');
  await page.getByText('Drop to see what these files hold').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Import 1 agent' }).click();
  await page.getByRole('link', { name: /reviewer/ }).waitFor();
});
