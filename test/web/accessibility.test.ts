import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { BOOK_FLIGHT } from '../publishing/book-flight.ts';
import { findingsOf } from './axe-findings.ts';
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
  ['/settings', (page) => page.getByText('No backups yet.')],
  ['/kit', (page) => page.getByRole('heading', { level: 1 })],
];

test.each(['light', 'dark'] as const)(
  'axe finds nothing serious on any page in the %s theme',
  async (theme) => {
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
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const [path, complete] of pages) {
      await page.goto(zoo.url + path);
      await complete(page).first().waitFor();
      expect({ path, findings: await findingsOf(page) }).toEqual({ path, findings: [] });
    }
  },
);
