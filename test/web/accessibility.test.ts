import { expect, test } from 'vitest';
import { BOOK_FLIGHT } from '../publishing/book-flight.ts';
import { findingsOf } from './axe-findings.ts';
import { openZoo } from './open-zoo.ts';

const files = {
  'zoo.toml': '[agents.helper]\ndescription = "Answers questions"\nsystem_prompt = "Help {{who}}."\n',
};

const paths = [
  '/',
  '/agent/wizard/persona',
  '/agent/wizard/skills',
  '/agent/wizard/published',
  '/agent/wizard/settings',
  '/agent/wizard/history',
  '/agent/helper/persona',
  '/settings',
  '/kit',
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
    for (const path of paths) {
      await page.goto(zoo.url + path);
      await page.getByRole('heading').first().waitFor();
      await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined);
      expect({ path, findings: await findingsOf(page) }).toEqual({ path, findings: [] });
    }
  },
  180_000,
);
