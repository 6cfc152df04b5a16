import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { tempHome } from '../zoo-command.ts';

type Home = Awaited<ReturnType<typeof tempHome>>;

export interface OpenZoo extends AsyncDisposable {
  home: Home;
  url: string;
  /** The first window, signed in by the link of `zoo open`. */
  page: Page;
  /** Another window of the same browser. */
  openWindow(path?: string): Promise<Page>;
  /** A browser that has never been here: nothing stored, not signed in. */
  openStranger(): Promise<Page>;
  /** Ends the hub without warning. */
  kill(): Promise<void>;
  /** Serves the same home at the same address again. */
  restart(): Promise<void>;
  /** As the operator, over HTTP. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** A busy machine needs seconds for what usually takes a moment; nothing waits longer than it has to. */
const PATIENCE_MS = 60_000;

interface OpenOptions {
  /** Files of the workspace. */
  files?: Record<string, string>;
  /** Where the first window goes once it is signed in. */
  path?: string;
  /** More of the environment of the hub, such as the address of a model. */
  env?: Record<string, string>;
  width?: number;
  height?: number;
}

/** What a page says at the bottom of the window, under the pointer: from then on it stays. */
export async function holdToast(page: Page, text: string): Promise<Locator> {
  const toast = page.getByTestId('toast').filter({ hasText: text });
  await toast.hover();
  return toast;
}

/** The real hub as a process of its own, and a real browser on its page. Errors of the page fail the test. */
export async function openZoo(options: OpenOptions = {}): Promise<OpenZoo> {
  const home = await tempHome(options.files);
  Object.assign(home.env, options.env);
  const browser = await chromium.connect(inject('browser'));
  const failures: string[] = [];
  const size = { width: options.width ?? 1440, height: options.height ?? 900 };
  let { url, child } = await home.serve();
  const port = new URL(url).port;

  const watched = async (context: BrowserContext): Promise<Page> => {
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const fail = (text: string): void => {
      if (page.url().startsWith(url)) failures.push(`${page.url()}: ${text}`);
    };
    page.on('pageerror', (error) => fail(error.message));
    page.on('console', (message) => {
      // The browser logs every answer above 399 and every refused connection by itself.
      if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text()))
        fail(message.text());
    });
    return page;
  };
  const context = await browser.newContext({ viewport: size });
  const page = await watched(context);
  await page.goto((await home.zoo(['open'])).out.trim());
  // The page is loaded before the code of the link has been exchanged: leaving earlier would leave it signed out.
  await page.getByRole('navigation').first().waitFor();
  if (options.path !== undefined) await page.goto(url + options.path);

  const token = async (): Promise<string> => (await home.zoo(['token'])).out.trim();
  let operator: string | undefined;
  return {
    home,
    url,
    page,
    async openWindow(path = '/') {
      const window = await watched(context);
      await window.goto(url + path);
      return window;
    },
    async openStranger() {
      return watched(await browser.newContext({ viewport: size }));
    },
    async kill() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
    async restart() {
      ({ url, child } = await home.serve(['--port', port]));
    },
    async call(method, path, body) {
      operator ??= await token();
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === '' ? null : JSON.parse(text);
    },
    async [Symbol.asyncDispose]() {
      for (const each of browser.contexts()) await each.close();
      await browser.close();
      await home[Symbol.asyncDispose]();
      if (failures.length > 0) throw new Error(`the page logged errors:\n${failures.join('\n')}`);
    },
  };
}
