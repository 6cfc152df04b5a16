import type { Browser, Page } from 'playwright-core';

/** A script that measures the time between frames while it works. */
export const frames = (work: string, until: string): string => `(async () => {
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let frame = 0; ${until}; frame += 1) {
    ${work}
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
})()`;

/** A script that scrolls an element up, a little per frame. */
export const scroll = (element: string): string => frames(`${element}.scrollBy(0, -120);`, 'frame < 400');

export async function readNumbers(page: Page, script: string): Promise<number[]> {
  const read: unknown = await page.evaluate(script);
  if (!Array.isArray(read)) throw new Error('the page measured nothing');
  return read.map(Number);
}

/** A window that is signed in. */
export async function openPage(browser: Browser, zoo: { loginLink(): string }): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(zoo.loginLink());
  await page.getByRole('navigation').first().waitFor();
  return page;
}
