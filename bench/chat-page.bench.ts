import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startZoo } from '../scripts/sample-zoo.js';
import { startBrowser } from '../scripts/start-browser.js';
import { report } from './measure.ts';
import { frames, openPage, readNumbers, scroll } from './page-frames.ts';

const program = fileURLToPath(new URL('../zoo.js', import.meta.url));
/** A message and its answer each. */
const TURNS = 1000;
const TOKENS_PER_SECOND = 200;
const TOKENS = 2000;
const EVERY_MS = 20;

type Zoo = Awaited<ReturnType<typeof startZoo>>;

const paragraph =
  'A paragraph with **bold words**, `code` and a [link](https://example.com).\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n\n';
const words = paragraph.split(/(?<= )/);
const tokenAt = (index: number): string => words[index % words.length] ?? '';

/** An OpenAI-compatible model: short answers at once, and one that streams at a given pace. */
async function startModel() {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => void answer(body.includes('Stream it'), response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

async function answer(isStreamed: boolean, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, end: string | null): void => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const chunk = { id: 'c', choices: [{ index: 0, delta, finish_reason: end }], ...(end ? { usage } : {}) };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  if (isStreamed) {
    const startedAt = performance.now();
    let sent = 0;
    while (sent < TOKENS) {
      const due = Math.min(TOKENS, ((performance.now() - startedAt) / 1000) * TOKENS_PER_SECOND);
      for (; sent < due; sent += 1) send({ content: tokenAt(sent) }, null);
      await sleep(EVERY_MS);
    }
  } else send({ content: paragraph }, null);
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}

async function startChat(zoo: Zoo): Promise<string> {
  const made: unknown = await zoo.send('POST', '/api/chats', { agent: 'writer' });
  return String(Reflect.get(Object(made), 'id'));
}

async function fillChat(zoo: Zoo, id: string): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const sent: unknown = await zoo.send('POST', `/api/chats/${id}/messages`, {
      message: `Question ${turn}`,
    });
    const run = String(Reflect.get(Object(sent), 'runId'));
    for (;;) {
      const found: unknown = await zoo.send('GET', `/api/runs/${run}`);
      if (Reflect.get(Object(found), 'endedAt') !== null) break;
      await sleep(5);
    }
  }
}

async function reportScrolling(browser: Browser, zoo: Zoo, id: string): Promise<void> {
  const page = await openPage(browser, zoo);
  const thread = 'document.querySelector("[data-testid=thread]")';
  await page.goto(`${zoo.url}/settings`);
  await page.getByRole('heading').first().waitFor();
  const plain = await readNumbers(page, frames('', 'frame < 400'));
  await page.goto(`${zoo.url}/chat/${id}`);
  await page
    .getByText(`Question ${TURNS - 1}`, { exact: true })
    .last()
    .waitFor();
  const chat = await readNumbers(page, scroll(thread));
  report('a frame while scrolling', {
    'a page that stands still': plain,
    [`a chat of ${TURNS * 2} messages`]: chat,
  });
  await page.context().close();
}

/** Time in which the page's main thread was busy. */
async function busyTime(page: Page, work: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const read = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  const before = await read();
  await work();
  return (await read()) - before;
}

async function reportStreaming(browser: Browser, zoo: Zoo): Promise<void> {
  const page = await openPage(browser, zoo);
  const id = await startChat(zoo);
  await page.goto(`${zoo.url}/chat/${id}`);
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  await field.waitFor();
  const idle = await readNumbers(page, frames('', 'frame < 200'));
  let streaming: number[] = [];
  const streamed = await busyTime(page, async () => {
    await field.fill('Stream it');
    await field.press('Enter');
    await page.getByText('A paragraph with').first().waitFor();
    const isOn = '![...document.querySelectorAll("button")].some((it) => it.textContent === "Send")';
    streaming = await readNumbers(page, frames('', isOn));
  });
  await page.goto(`${zoo.url}/settings`);
  await page.getByRole('heading').first().waitFor();
  const once = await busyTime(page, async () => {
    await page.goto(`${zoo.url}/chat/${id}`);
    await page.getByText('A paragraph with').first().waitFor();
    await page.waitForTimeout(1000);
  });
  report('a frame', {
    'while nothing happens': idle,
    [`at ${TOKENS_PER_SECOND} tokens a second`]: streaming,
  });
  const budget = 1000 / 60;
  const late = streaming.filter((time) => time > budget * 1.5).length;
  const lateIdle = idle.filter((time) => time > budget * 1.5).length;
  console.log(`  late frames: ${late} of ${streaming.length}, while idle ${lateIdle} of ${idle.length}`);
  console.log(`\nmain thread for ${TOKENS} tokens`);
  console.log(`  drawn once (with the load of the page)   ${(once * 1000).toFixed(0)} ms`);
  console.log(
    `  streamed over ${TOKENS / TOKENS_PER_SECOND} s   ${(streamed * 1000).toFixed(0)} ms, ${(streamed / once).toFixed(1)} times`,
  );
  await page.context().close();
}

async function main(): Promise<void> {
  const model = await startModel();
  const config = `[runner]\nmodel = "lab/fast"\n\n[budget]\nhub_day = { tokens = 1000000000 }\nagent_day = { tokens = 1000000000 }\n\n[providers.lab]\nbase_url = "${model.url}"\n`;
  // Beside the workspace, in the user's own config directory: nothing has to be approved.
  const zoo = await startZoo({ '../config/zoo.toml': config }, program);
  const server = await startBrowser();
  const browser = await chromium.connect(server.wsEndpoint());
  try {
    await zoo.send('POST', '/api/agents', {
      id: 'writer',
      name: 'Writer',
      systemPrompt: 'Write.',
      tools: [],
    });
    await reportStreaming(browser, zoo);
    const id = await startChat(zoo);
    await fillChat(zoo, id);
    await reportScrolling(browser, zoo, id);
  } finally {
    await browser.close();
    await server.close();
    model.close();
    await zoo.close();
  }
}

await main();
