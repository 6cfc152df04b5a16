import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { BOOK_FLIGHT } from '../publishing/book-flight.ts';
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

/** Serious and critical findings, each with the element it is about. */
async function findingsOf(page: Page): Promise<string[]> {
  // The policy of the page allows no inline scripts; the debugger of the browser is not bound by it.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const checker: { run(): Promise<{ violations: Violation[] }> } = Reflect.get(globalThis, 'axe');
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string }[];
    }
    const { violations } = await checker.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}

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
