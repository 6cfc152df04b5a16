import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Serious and critical findings, each with the element it is about. */
export async function findingsOf(page: Page): Promise<string[]> {
  // The policy of the page allows no inline scripts; the debugger of the browser is not bound by it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
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
