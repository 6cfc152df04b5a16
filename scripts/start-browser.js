import { existsSync } from 'node:fs';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import which from 'which';

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'msedge',
];

const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ...[process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']].flatMap(
    (folder) =>
      folder === undefined
        ? []
        : [
            join(folder, 'Google/Chrome/Application/chrome.exe'),
            join(folder, 'Microsoft/Edge/Application/msedge.exe'),
          ],
  ),
];

/**
 * The browser of this machine; where it has none, the one that comes with an npm package (Linux on x64).
 * @returns {Promise<import('playwright-core').BrowserServer>}
 */
export async function startBrowser() {
  const own = await findBrowser();
  if (own !== null) return playwright.launchServer({ executablePath: own, headless: true });
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chrome, Chromium or Edge found. Install one, or name it in ZOO_BROWSER.');
  }
  return playwright.launchServer({
    executablePath: await chromium.executablePath(),
    // Not the arguments that the package suggests: in a single process, one crash ends every page.
    args: ['--no-sandbox', '--disable-gpu'],
    headless: true,
  });
}

/** @returns {Promise<string | null>} */
async function findBrowser() {
  const named = process.env['ZOO_BROWSER'];
  if (named !== undefined) return named;
  for (const name of names) {
    const path = await which(name, { nothrow: true });
    if (path !== null) return path;
  }
  return places.find((path) => existsSync(path)) ?? null;
}
