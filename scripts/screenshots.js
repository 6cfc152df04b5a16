import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { root } from './root.js';
import { startSampleModel } from './sample-model.js';
import { fillZoo, sampleFiles, startZoo } from './sample-zoo.js';
import { startBrowser } from './start-browser.js';

/**
 * Pictures of every page: `npm run screenshots`. Those that the README shows go to docs/images, compressed; all of
 * them to dist/screenshots, for whoever changes the page to look at.
 */
const pages = [
  { name: 'home', path: '/home' },
  { name: 'zoo', path: '/' },
  { name: 'welcome', path: '/welcome' },
  { name: 'new-chat', path: '/chat' },
  { name: 'chat', path: '/chat/:chat' },
  { name: 'compare', path: '/compare' },
  { name: 'runs', path: '/runs' },
  { name: 'run', path: '/runs/:run' },
  { name: 'teams', path: '/teams' },
  { name: 'team', path: '/teams/:team' },
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
  { name: 'sources', path: '/knowledge' },
  { name: 'knowledge', path: '/knowledge?q=rollback' },
  { name: 'tools-page', path: '/tools' },
  { name: 'activity', path: '/activity' },
  { name: 'settings', path: '/settings' },
  { name: 'components', path: '/kit' },
];

/** By name, theme and width. */
const shown = new Set(['zoo-light-1440', 'zoo-dark-1440', 'persona-light-1440', 'published-tools-dark-1440']);
const emptyPages = [
  'home',
  'zoo',
  'welcome',
  'new-chat',
  'compare',
  'runs',
  'teams',
  'sources',
  'tools-page',
  'activity',
  'settings',
];

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
  const model = await startSampleModel();
  const zoo = await startZoo(files, undefined, prefix === '' ? model.env : {});
  try {
    const ids = prefix === '' ? await fillZoo(zoo) : {};
    for (const width of [1440, 390]) {
      for (const theme of /** @type {const} */ (['light', 'dark'])) {
        const page = await openPage(zoo, width, theme);
        // The way to the first steps is in the pictures of the empty zoo.
        if (prefix === '') await page.evaluate("localStorage.setItem('agent-zoo-first-steps', 'away')");
        for (const { name, path } of list.filter((each) => !values.only || each.name === values.only)) {
          const at = Object.entries(ids).reduce((text, [key, id]) => text.replace(`:${key}`, id), path);
          await page.goto(zoo.url + at);
          await page.getByRole('main').waitFor();
          // The event feed stays open, so the network is never idle for long; what is loading is done by then.
          await page.waitForTimeout(1200);
          await keep(page, `${prefix}${name}-${theme}-${width}`);
        }
        await page.context().close();
      }
    }
  } finally {
    await zoo.close();
    await model.close();
  }
}

/**
 * @param {import('./sample-zoo.js').SampleZoo} zoo
 * @param {number} width
 * @param {'light' | 'dark'} theme
 */
async function openPage(zoo, width, theme) {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(zoo.loginLink());
  await page.getByRole('navigation').first().waitFor();
  return page;
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} key
 */
async function keep(page, key) {
  await page.screenshot({ path: join(all, `${key}.png`) });
  if (!shown.has(key)) return;
  const name = `${key.replace(/-\d+$/, '')}.jpg`;
  const file = join(images, name);
  await page.screenshot({ path: file, type: 'jpeg', quality: 82 });
  console.log(`Wrote docs/images/${name} (${Math.round(statSync(file).size / 1000)} kB)`);
}
