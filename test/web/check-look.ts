import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findingsOf } from './axe-findings.ts';
import { cutTexts } from './cut-texts.ts';

/** axe looks at each of ten pages twice, which takes minutes on a busy machine. */
export const LOOKS_MS = 600_000;

/** The page in the light and in the dark theme has nothing that axe finds serious, and no text is cut off at 390 px. */
export async function checkLook(page: Page): Promise<void> {
  const path = page.url();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
    expect({ path, colorScheme, findings: await findingsOf(page) }).toEqual({
      path,
      colorScheme,
      findings: [],
    });
  }
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => ({ path, cut: await cutTexts(page) })).toEqual({ path, cut: [] });
  if (size) await page.setViewportSize(size);
}
