import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };
import TestOrder from './scripts/test-order.js';

export default defineConfig({
  define: { __ZOO_VERSION__: JSON.stringify(manifest.version) },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'],
    // Those need other people's programs: vitest.clients.config.ts and vitest.web.config.ts have them.
    exclude: [...configDefaults.exclude, 'test/clients/**', 'test/web/**'],
    globalSetup: ['scripts/test-setup.js'],
    setupFiles: ['test/leak-guard.ts'],
    pool: 'forks',
    // Loading the sources and a worker for each file would take a fifth of the time. Tests change no module's state.
    isolate: false,
    sequence: { sequencer: TestOrder },
    // Tests start hubs and commands of their own, and wait for them half of the time: one more than there are
    // cores keeps these busy, and more only make each other late.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    // Vitest's second is too short on a busy machine. What these wait for comes at once on an idle one.
    expect: { poll: { timeout: 40_000, interval: 20 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
  },
});
