import type { Page } from 'playwright-core';

/** Texts that reach beyond the window and cannot be scrolled to. */
export function cutTexts(page: Page): Promise<string[]> {
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
