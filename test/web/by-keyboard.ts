import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What has the focus, within shadow roots too: the path of a link, the name of anything else. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    if (!at) return '';
    if (at instanceof HTMLAnchorElement) return at.pathname;
    const label =
      at.getAttribute('aria-label') ?? (at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : null);
    const name = (label ?? at.textContent ?? '').trim();
    if (at instanceof HTMLInputElement && at.type === 'radio')
      return `${at.name} ${at.closest('label')?.ariaLabel ?? ''}`.toLowerCase();
    return at.role === 'switch' ? `switch ${name}` : name;
  });

/** Presses Tab until an element of this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 120; presses += 1) {
    const at = await focused(page);
    if (at === name) return;
    passed.push(at);
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${name}, but to: ${[...new Set(passed)].join(' | ')}`);
}

/** The same in a menu, which moves the focus a moment after the key. */
export async function arrowTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    const at = await focused(page);
    if (at === name) return;
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).not.toBe(at);
  }
  throw new Error(`the arrow never came to ${name}`);
}

export async function press(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}
