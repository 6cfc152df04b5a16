import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };

export default defineConfig({
  define: { __ZOO_VERSION__: JSON.stringify(manifest.version) },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Those need other people's programs: vitest.clients.config.ts has them.
    exclude: [...configDefaults.exclude, 'test/clients/**'],
    globalSetup: ['scripts/test-setup.js'],
    setupFiles: ['test/leak-guard.ts'],
    pool: 'forks',
    // Tests start hubs and commands of their own: more workers than this only make each other late.
    maxWorkers: Math.min(4, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
  },
});
