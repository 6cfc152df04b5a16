import type { TestProject } from 'vitest/node';
import { startBrowser } from '../../scripts/start-browser.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser of this run listens. */
    browser: string;
  }
}

/** One browser for the whole run; each test has a context of its own in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startBrowser();
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
