import type { Page } from 'playwright-core';
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
  await expect.poll(() => zoo.call('GET', '/api/agents')).toMatchObject({ total: 2 });

  await page.getByLabel('What to do with Scribe').selectOption('Replace the existing agent');
  await page.getByRole('button', { name: 'Import 3 agents' }).click();
  const toast = await holdToast(page, 'Imported 3 agents.');
  await page.getByRole('link', { name: /Travel desk/ }).waitFor();
  await expect
    .poll(() => zoo.call('GET', '/api/agents/scribe'))
    .toMatchObject({
      systemPrompt: 'Write notes.',
      revision: 2,
    });
  await expect
    .poll(() => zoo.call('GET', '/api/agents/reviewer'))
    .toMatchObject({ systemPrompt: 'You review code.' });

  await toast.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: /Travel desk/ }).waitFor({ state: 'detached' });
  await expect
    .poll(() => zoo.call('GET', '/api/agents/scribe'))
    .toMatchObject({ systemPrompt: 'Mine.', revision: 3 });
});

const skill =
  '---\nname: pdf\ndescription: Fill in PDF forms\nallowed-tools: Read, Bash\n---\nUse the form fields.\n';

/** As a person would: over the page first, then let go. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const carried = await page.evaluateHandle(
    (file) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([file.text], file.name, { type: 'text/markdown' }));
      return transfer;
    },
    { name, text },
  );
  const drag = (type: string) => page.dispatchEvent('body', type, { dataTransfer: carried });
  await drag('dragenter');
  await page.getByText('Drop to see what is in these files').waitFor();
  await drag('drop');
  await page.getByText('Drop to see what is in these files').waitFor({ state: 'detached' });
}

test('agents and skills that are dropped on a page are read, and added where they belong', async () => {
  await using zoo = await openZoo();
  const { page } = zoo;
  await page.getByRole('heading', { name: 'Zoo' }).waitFor();
  await page.getByRole('button', { name: 'Import' }).first().waitFor();
  await drop(page, 'reviewer.md', folder['.claude/agents/reviewer.md']);
  await page.getByRole('button', { name: 'Import 1 agent' }).click();
  await page.getByRole('link', { name: /reviewer/ }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await drop(page, 'SKILL.md', skill);
  const found = page.getByRole('list', { name: 'Skills found' });
  await found.getByText('may use Read, Bash').waitFor();
  await page.getByLabel('Agent that gets the skills').selectOption('Add to reviewer');
  await page.getByRole('button', { name: 'Import 1 skill' }).click();
  const toast = await holdToast(page, 'Imported 1 skill.');
  const added = { name: 'pdf', description: 'Fill in PDF forms\n\nUse the form fields.', enabled: true };
  await expect
    .poll(() => zoo.call('GET', '/api/agents/reviewer'))
    .toMatchObject({
      skills: [added],
      tools: ['Read', 'Grep', 'Bash'],
    });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(() => zoo.call('GET', '/api/agents/reviewer'))
    .toMatchObject({ skills: [], tools: ['Read', 'Grep'] });

  await page.goto(`${zoo.url}/agent/reviewer/skills`);
  await page.getByText('Drop a SKILL.md here to add one.').waitFor();
  await drop(page, 'SKILL.md', skill);
  await page.getByRole('button', { name: 'Import 1 skill' }).click();
  await page.getByRole('switch', { name: 'pdf' }).waitFor();
});
