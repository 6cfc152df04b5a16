import { defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };

/** The page in a real browser, on the real hub: `npm run test:web`. */
export default defineConfig({
  define: { __ZOO_VERSION__: JSON.stringify(manifest.version) },
  test: {
    include: ['test/web/*.test.ts'],
    globalSetup: ['scripts/test-setup.js', 'test/web/browser-setup.ts'],
    setupFiles: ['test/leak-guard.ts'],
    pool: 'forks',
    // A browser and a hub for each: two at a time keep two cores busy.
    maxWorkers: 2,
    testTimeout: 240_000,
    // A page that is drawn on a busy machine may take longer than the second that is the default.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
});
