import { defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };

/** Tests with other people's programs, which scripts/test-clients.js installs: not a part of `npm test`. */
export default defineConfig({
  define: { __ZOO_VERSION__: JSON.stringify(manifest.version) },
  test: {
    include: ['test/clients/**/*.test.ts'],
    globalSetup: ['scripts/test-setup.js'],
    setupFiles: ['test/leak-guard.ts'],
    pool: 'forks',
    // Each client takes more than a core while it starts.
    maxWorkers: 2,
    // Vitest's second is too short on a busy machine.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    testTimeout: 90_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
  },
});
