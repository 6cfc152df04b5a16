/**
 * For states that are reached at once on an idle machine and seconds later on a busy one. `expect.poll` waits as long
 * without being told: vitest.config.ts.
 */
export const PATIENCE = { timeout: 40_000, interval: 20 };
