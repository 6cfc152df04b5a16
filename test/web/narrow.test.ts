import { expect, test } from 'vitest';
import { cutTexts } from './cut-texts.ts';
import { openZoo } from './open-zoo.ts';

/** A word of each page that is there once its data is. */
const pages = {
  '/': 'Guide',
  '/welcome': 'Already here',
  '/knowledge': 'No documents yet',
  '/tools': 'In a terminal:',
  '/activity': 'No calls yet',
  '/settings': 'No problems found.',
  '/agent/wizard/persona': 'Code Wizard',
  '/agent/wizard/skills': 'Code Wizard',
  '/agent/wizard/tools': 'The hub itself',
  '/agent/wizard/knowledge': 'Code Wizard',
  '/agent/wizard/published': 'Code Wizard',
  '/agent/wizard/memory': 'In a terminal:',
  '/agent/wizard/settings': 'Code Wizard',
  '/agent/wizard/connect': 'Claude Code',
};

test('no text of a page is cut off on a narrow screen', async () => {
  await using zoo = await openZoo({ width: 390, height: 844 });
  await zoo.call('POST', '/api/agents', { id: 'wizard', name: 'Code Wizard', systemPrompt: 'Hello.' });
  for (const [path, word] of Object.entries(pages)) {
    await zoo.page.goto(zoo.url + path);
    await zoo.page.getByText(word).first().waitFor();
    await expect.poll(async () => ({ path, cut: await cutTexts(zoo.page) })).toEqual({ path, cut: [] });
  }
});
