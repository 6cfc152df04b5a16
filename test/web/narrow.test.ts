import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
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

/** Texts that reach beyond the window and cannot be scrolled to. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (/auto|scroll/.test(getComputedStyle(element).overflowX)
        ? element.tagName !== 'MAIN'
        : scrolls(element.parentElement));
    return [...document.querySelectorAll('h1, h2, h3, p, button, a, label, input, pre')]
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect();
        return width > 1 && right > innerWidth + 1 && !scrolls(element.parentElement);
      })
      .map((element) => `${element.tagName} ${element.textContent.slice(0, 60)}`);
  });
}
