import type { Environment } from '../../../platform/home/paths.ts';
import type { Use } from '../../../hub/wing.ts';

const TEN_MINUTES_MS = 600_000;
const LONGEST_PAUSE_MS = 15_000;
/** On a busy machine, the bridge that started the hub may take this long to connect. */
const FIRST_USE_MS = 10_000;

/** Resolves after an idle time of ten minutes, or ZOO_IDLE_MS. Never resolves after an abort. */
export function untilIdle(
  uses: readonly (() => Use)[],
  env: Environment,
  signal: AbortSignal,
): Promise<void> {
  const patience = Number(env['ZOO_IDLE_MS'] ?? '') || TEN_MINUTES_MS;
  const pause = Math.min(LONGEST_PAUSE_MS, Math.max(10, patience / 4));
  const since = performance.now();
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const now = uses.map((use) => use());
      const lastAt = Math.max(since, ...now.map((use) => use.lastAt));
      const allowed = lastAt > since ? patience : Math.max(patience, FIRST_USE_MS);
      if (now.some(({ open }) => open > 0) || performance.now() - lastAt < allowed) return;
      clearInterval(timer);
      resolve();
    }, pause);
    timer.unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  });
}
