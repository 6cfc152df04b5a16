import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { BOOK_FLIGHT } from '../publishing/book-flight.ts';
import { checkLook, LOOKS_MS } from './check-look.ts';
import { openZoo } from './open-zoo.ts';

const files = {
  'zoo.toml': '[agents.helper]\ndescription = "Answers questions"\nsystem_prompt = "Help {{who}}."\n',
};

/** Each with an element that is there once the page has its data. */
const pages: readonly [path: string, complete: (page: Page) => Locator][] = [
  ['/', (page) => page.getByRole('link', { name: /Code Wizard/ })],
  ['/agent/wizard/persona', (page) => page.getByTestId('compiled-prompt').getByText('Hello.')],
  ['/agent/wizard/skills', (page) => page.getByRole('switch', { name: 'Be brief' })],
  ['/agent/wizard/published', (page) => page.getByTestId('filled-prompt')],
  ['/agent/wizard/settings', (page) => page.getByRole('radio', { name: 'autonomous' })],
  ['/agent/wizard/history', (page) => page.getByRole('button', { name: 'Add a label to revision 1' })],
  ['/agent/helper/persona', (page) => page.getByTestId('compiled-prompt').getByText('Help')],
  ['/knowledge', (page) => page.getByText('No documents yet')],
  ['/activity', (page) => page.getByText('No calls yet')],
  ['/settings', (page) => page.getByText('No backups yet.')],
  ['/kit', (page) => page.getByRole('heading', { level: 1 })],
];

test(
  'no page has serious findings of axe in either theme, or cuts off text on a narrow screen',
  async () => {
    await using zoo = await openZoo({ files });
    const { page } = zoo;
    const skills = [{ id: 'brief', name: 'Be brief', description: 'Few words.' }];
    await zoo.call('POST', '/api/agents', {
      id: 'wizard',
      name: 'Code Wizard',
      systemPrompt: 'Hello.',
      skills,
      publishedTools: [BOOK_FLIGHT],
    });
    for (const [path, complete] of pages) {
      await page.goto(zoo.url + path);
      await complete(page).first().waitFor();
      await checkLook(page);
    }

    await page.setViewportSize({ width: 390, height: 844 });
    const links = page.getByRole('navigation', { name: 'Pages' });
    const menu = links.getByRole('button', { name: 'Menu' });
    await menu.click();
    await links.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('heading', { name: 'Activity', exact: true }).waitFor();
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
  },
  LOOKS_MS,
);
