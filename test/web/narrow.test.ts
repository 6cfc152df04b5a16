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

test('a narrow screen has every page in a menu, and cuts off no text', async () => {
  await using zoo = await openZoo({ width: 390, height: 844 });
  const menu = zoo.page.getByRole('button', { name: 'Menu', exact: true });
  await menu.click();
  await zoo.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Activity' }).click();
  await zoo.page.getByRole('heading', { name: 'Activity', exact: true }).waitFor();
  await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
  await zoo.call('POST', '/api/agents', { id: 'wizard', name: 'Code Wizard', systemPrompt: 'Hello.' });
  for (const [path, word] of Object.entries(pages)) {
    await zoo.page.goto(zoo.url + path);
    await zoo.page.getByText(word).first().waitFor();
    await expect.poll(async () => ({ path, cut: await cutTexts(zoo.page) })).toEqual({ path, cut: [] });
  }
});
