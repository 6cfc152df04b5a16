import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { root } from './root.js';
import { sampleAgents, sampleFiles, startZoo } from './sample-zoo.js';
import { startBrowser } from './start-browser.js';

/**
 * Pictures of every page: `npm run screenshots`. Those that the README shows go to docs/images, compressed; all of
 * them to dist/screenshots, for whoever changes the page to look at.
 */
const pages = [
  { name: 'zoo', path: '/' },
  { name: 'persona', path: '/agent/code-wizard/persona' },
  { name: 'skills', path: '/agent/code-wizard/skills' },
  { name: 'tools', path: '/agent/code-wizard/tools' },
  { name: 'agent-knowledge', path: '/agent/oncall/knowledge' },
  { name: 'published-tools', path: '/agent/travel-desk/published' },
  { name: 'agent-settings', path: '/agent/code-wizard/settings' },
  { name: 'memory', path: '/agent/code-wizard/memory' },
  { name: 'history', path: '/agent/code-wizard/history' },
  { name: 'connect', path: '/agent/code-wizard/connect' },
  { name: 'file-agent', path: '/agent/oncall/persona' },
  { name: 'missing-agent', path: '/agent/nobody/persona' },
  { name: 'knowledge', path: '/knowledge?q=rollback' },
  { name: 'tools-page', path: '/tools' },
  { name: 'activity', path: '/activity' },
  { name: 'settings', path: '/settings' },
  { name: 'components', path: '/kit' },
];

/** By name, theme and width. */
const shown = new Set(['zoo-light-1440', 'zoo-dark-1440', 'persona-light-1440', 'published-tools-dark-1440']);
const emptyPages = ['zoo', 'knowledge', 'activity'];

const { values } = parseArgs({ options: { only: { type: 'string' } } });
ensureInstalled();
await ensureBuilt();
const all = join(root, 'dist/screenshots');
const images = join(root, 'docs/images');
mkdirSync(all, { recursive: true });

const server = await startBrowser();
const browser = await chromium.connect(server.wsEndpoint());
try {
  await shoot('', sampleFiles, pages);
  if (values.only === undefined)
    await shoot(
      'empty-',
      {},
      pages.filter(({ name }) => emptyPages.includes(name)),
    );
} finally {
  await browser.close();
  await server.close();
}

/**
 * @param {string} prefix
 * @param {Record<string, string>} files
 * @param {{ name: string, path: string }[]} list
 */
async function shoot(prefix, files, list) {
  const zoo = await startZoo(files);
  try {
    if (prefix === '') for (const agent of sampleAgents) await zoo.send('POST', '/api/agents', agent);
    if (prefix === '')
      await zoo.send('PATCH', '/api/agents/code-wizard', { description: 'Pairs on TypeScript, tests first' });
    for (const width of [1440, 390]) {
      for (const theme of /** @type {const} */ (['light', 'dark'])) {
        const size = { width, height: width < 600 ? 844 : 900 };
        const context = await browser.newContext({
          viewport: size,
          colorScheme: theme,
          reducedMotion: 'reduce',
        });
        const page = await context.newPage();
        await page.goto(zoo.loginLink());
        await page.getByRole('navigation').first().waitFor();
        for (const { name, path } of list.filter((each) => !values.only || each.name === values.only)) {
          await page.goto(zoo.url + path);
          await page.getByRole('main').waitFor();
          // The event feed stays open, so the network is never idle for long; what is loading is done by then.
          await page.waitForTimeout(1200);
          const key = `${prefix}${name}-${theme}-${width}`;
          await page.screenshot({ path: join(all, `${key}.png`) });
          if (!shown.has(key)) continue;
          const file = join(images, `${name}-${theme}.jpg`);
          await page.screenshot({ path: file, type: 'jpeg', quality: 82 });
          console.log(
            `Wrote docs/images/${name}-${theme}.jpg (${Math.round(statSync(file).size / 1000)} kB)`,
          );
        }
        await context.close();
      }
    }
  } finally {
    await zoo.close();
  }
}
