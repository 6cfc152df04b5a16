import { expect, test } from 'vitest';
import { openZoo } from './open-zoo.ts';

const toml = (prompt: string): string => `[agents.helper]\nname = "Helper"\nsystem_prompt = "${prompt}"\n`;

test('an agent that is edited in its TOML file changes on the page, and is copied to the editor', async () => {
  await using zoo = await openZoo({
    files: { 'zoo.toml': toml('Help people.') },
    path: '/agent/helper/persona',
  });
  const { page } = zoo;
  const compiled = page.getByTestId('compiled-prompt').first();
  await compiled.getByText('Help people.').waitFor();
  await page.getByText('work/zoo.toml:1').first().waitFor();
  await zoo.home.write('zoo.toml', toml('Help animals.'));
  await compiled.getByText('Help animals.').waitFor();
  await page.getByRole('textbox', { name: 'Persona' }).getByText('Help animals.').waitFor();
  await page.getByRole('button', { name: 'Copy to editor' }).click();
  await page.waitForURL(/\/agent\/helper-copy\/persona$/);
  await page.getByText('Saved, revision 1').waitFor();
  await expect
    .poll(() => zoo.call('GET', '/api/agents/helper-copy'))
    .toMatchObject({ systemPrompt: 'Help animals.' });
});
