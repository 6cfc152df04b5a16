import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from 'playwright-core';
import { startZoo } from '../scripts/sample-zoo.js';
import { startBrowser } from '../scripts/start-browser.js';
import { compare, createCaller, report, reportAdded } from './measure.ts';

const program = fileURLToPath(new URL('../zoo.js', import.meta.url));
const AGENTS = 1000;
const CALLS = 10_000;
const TOOLS = 1000;
const PERSONA = 20_000;
const KEYS = 60;

const pages = [
  '/',
  '/agent/typed/persona',
  '/agent/typed/skills',
  '/agent/typed/published',
  '/tools',
  '/activity',
  '/settings',
];

/** Served by a bare server: what the browser itself takes. */
const emptyPage = `<!doctype html><title>Empty</title><main><a href="#">Empty</a></main>
<div id="tall" style="height:60000px"></div><textarea id="typed"></textarea><pre id="echo"></pre>
<script>typed.oninput = () => { echo.textContent = typed.value; };</script>`;

/** Of 20,000 characters: as people write them, and the hardest to lay out. */
const personas = [
  ['typed', 'Typed', `${'Some words. '.repeat(33)}\n\n`.repeat(PERSONA / 398)],
  ['unbroken', 'Unbroken', 'Some words. '.repeat(PERSONA / 12)],
] as const;

/** An MCP server with many tools. */
const manyTools = `
const tools = Array.from({ length: ${TOOLS} }, (_, index) => ({
  name: 'tool_' + index, description: 'Does the task with the number ' + index + ', and returns its result.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'many', version: '1' } }
      : { tools };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

type Zoo = Awaited<ReturnType<typeof startZoo>>;

async function main(): Promise<void> {
  const zoo = await startZoo({}, program);
  const bare = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(emptyPage);
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const address = bare.address();
  const empty = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const server = await startBrowser();
  const browser = await chromium.connect(server.wsEndpoint());
  try {
    for (const [id, name, systemPrompt] of personas)
      await zoo.send('POST', '/api/agents', { id, name, systemPrompt });
    await reportSizes(browser, zoo);
    await reportLoading(browser, zoo, empty);
    await reportTyping(browser, zoo, empty);
    await fill(zoo);
    await reportScrolling(browser, zoo, empty);
  } finally {
    await browser.close();
    await server.close();
    bare.close();
    await zoo.close();
  }
}

async function openPage(browser: Browser, zoo: Zoo): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(zoo.loginLink());
  await page.getByRole('navigation').first().waitFor();
  return page;
}

/** The scripts that a browser without a cache asks for, as it would get them compressed. */
async function reportSizes(browser: Browser, zoo: Zoo): Promise<void> {
  console.log('\nscript per page, gzipped   (goal: the first page under 200 kB)');
  const assets = join(import.meta.dirname, '../web');
  for (const path of pages) {
    const page = await openPage(browser, zoo);
    const asked = new Set<string>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith('.js')) asked.add(pathname);
    });
    await page.goto(zoo.url + path);
    await page.getByRole('heading').first().waitFor();
    await page.waitForTimeout(500);
    const bytes = [...asked].reduce(
      (sum, file) => sum + gzipSync(readFileSync(join(assets, file))).length,
      0,
    );
    console.log(`  ${path.padEnd(44)} ${(bytes / 1000).toFixed(1).padStart(9)} kB in ${asked.size} files`);
    await page.context().close();
  }
}

async function reportLoading(browser: Browser, zoo: Zoo, empty: string): Promise<void> {
  const page = await openPage(browser, zoo);
  const loads = await compare(20, {
    'an empty page, until its link is there': async () => {
      await page.goto(empty);
      await page.getByRole('link', { name: 'Empty' }).waitFor();
    },
    'the zoo, until an agent can be opened': async () => {
      await page.goto(`${zoo.url}/`);
      await page.getByRole('link', { name: /Typed/ }).waitFor();
    },
    'an agent, until its prompt is compiled': async () => {
      await page.goto(`${zoo.url}/agent/typed/persona`);
      await page.getByTestId('compiled-prompt').first().getByText('Some words.').first().waitFor();
    },
  });
  reportAdded('time to interactive', loads);
  await page.context().close();
  const [fromBare, fromHub] = [createCaller(empty.slice(0, -1)), createCaller(zoo.url)];
  const answers = await compare(200, {
    'a bare server answers its page': () => fromBare({ method: 'GET', path: '/' }),
    'the hub answers a cold page load': () => fromHub({ method: 'GET', path: '/' }),
  });
  reportAdded('answer to a page load', answers);
}

/** From a key to the frame that shows it, in the browser's own clock. */
const typeKeys = (field: string, output: string): string => `(async () => {
  const field = ${field};
  const output = ${output};
  const times = [];
  for (let key = 0; key < ${KEYS}; key += 1) {
    const before = output.textContent.length;
    const startedAt = performance.now();
    document.execCommand('insertText', false, 'x');
    while (output.textContent.length === before) await new Promise(requestAnimationFrame);
    times.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return times;
})()`;

async function reportTyping(browser: Browser, zoo: Zoo, empty: string): Promise<void> {
  const page = await openPage(browser, zoo);
  await page.goto(empty);
  await page.locator('#typed').click();
  const plain = await readNumbers(page, typeKeys('typed', 'echo'));
  const typeInto = async (id: string): Promise<number[]> => {
    await page.goto(`${zoo.url}/agent/${id}/persona`);
    await page.getByTestId('compiled-prompt').first().getByText('Some words.').first().waitFor();
    await page.getByRole('textbox', { name: 'Persona' }).click();
    const preview = 'document.querySelector("[data-testid=compiled-prompt]")';
    return readNumbers(page, typeKeys('document', preview));
  };
  report(
    `a key until the preview shows it, at ${PERSONA} characters`,
    {
      'a text area that echoes': plain,
      'the persona editor, compiled by the hub': await typeInto('typed'),
      'the same, all of it one line': await typeInto('unbroken'),
    },
    'within 50 ms',
  );
  await page.context().close();
}

async function fill(zoo: Zoo): Promise<void> {
  const many = async (count: number, send: (index: number) => Promise<unknown>): Promise<void> => {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count) await send(next++);
    };
    await Promise.all(Array.from({ length: 8 }, work));
  };
  await many(AGENTS, (index) =>
    zoo.send('POST', '/api/agents', { name: `Specimen ${index}`, description: `Number ${index} of many` }),
  );
  await many(CALLS, () => zoo.send('POST', '/tools/sources', {}));
  const server = { name: 'many', from: 'the bench', given: { command: 'node', args: ['-e', manyTools] } };
  const change = { kind: 'add-servers', servers: [server] };
  await zoo.send('POST', '/api/config/apply', { change, target: 'user' });
  await zoo.send('POST', '/api/upstreams/check', { name: 'many' });
}

/** The times between frames while the page, or the part of it that scrolls, moves by a screen in each. */
const scroll = `(async () => {
  const times = [];
  const parts = [document.scrollingElement, ...document.querySelectorAll('main, main *')];
  const part = parts.find((each) => each.scrollHeight > each.clientHeight + 2000) ?? parts[0];
  let last = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < 240; frame += 1) {
    part.scrollBy(0, 120);
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
})()`;

async function reportScrolling(browser: Browser, zoo: Zoo, empty: string): Promise<void> {
  const page = await openPage(browser, zoo);
  await page.goto(empty);
  const plain = await readNumbers(page, scroll);
  await page.goto(`${zoo.url}/`);
  await page
    .getByRole('link', { name: /Specimen/ })
    .first()
    .waitFor();
  const agents = await readNumbers(page, scroll);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await page
    .getByRole('link', { name: /Specimen/ })
    .first()
    .waitFor();
  const agentsAtNight = await readNumbers(page, scroll);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${zoo.url}/activity`);
  await page.getByText('sources').first().waitFor();
  const calls = await readNumbers(page, scroll);
  await page.goto(`${zoo.url}/tools`);
  await page.getByText('many.tool_1', { exact: true }).waitFor();
  const tools = await readNumbers(page, scroll);
  await page.goto(`${zoo.url}/agent/typed/tools`);
  await page.getByRole('button', { name: 'many' }).click();
  await page.getByText('many.tool_1', { exact: true }).waitFor();
  const scope = await readNumbers(page, scroll);
  report('a frame while scrolling', {
    'an empty page': plain,
    [`the zoo with ${AGENTS} agents`]: agents,
    'the same, dark': agentsAtNight,
    [`the activity with ${CALLS} rows`]: calls,
    [`the tools page with ${TOOLS} tools`]: tools,
    [`an agent's scope over ${TOOLS} tools`]: scope,
  });
  await page.context().close();
}

async function readNumbers(page: Page, script: string): Promise<number[]> {
  const answer: unknown = await page.evaluate(script);
  if (!Array.isArray(answer)) throw new Error('the page measured nothing');
  return answer.map(Number);
}

await main();
