import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { watch } from 'chokidar';
import { stopWithNpm } from './parent.js';
import { ensureInstalled, forgetBuild } from './prepare.js';
import { root } from './root.js';

ensureInstalled();
forgetBuild();
stopWithNpm();
const esbuild = await import('esbuild');
const { build, bundleOptions } = await import('./bundle.js');
const { buildPage } = await import('./build-page.js');

/** Editors save several files at once. */
const SETTLE_MS = 100;

/** @type {import('node:child_process').ChildProcess | null} */
let hub = null;
/** Builds run one after another. */
let queue = Promise.resolve();
/** @type {NodeJS.Timeout | undefined} */
let settling;

// This bundle is thrown away: it is here to notice what changed.
const context = await esbuild.context({
  ...bundleOptions(),
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  splitting: true,
  write: false,
  logLevel: 'info',
  plugins: [
    {
      name: 'restart',
      setup: ({ onEnd }) =>
        onEnd(({ errors }) => (errors.length > 0 ? undefined : inTurn(() => build({ keepRecent: true })))),
    },
  ],
});
await context.watch();

const page = watch([join(root, 'web/src'), join(root, 'web/public'), join(root, 'web/index.html')], {
  ignoreInitial: true,
});
page.on('all', () => {
  clearTimeout(settling);
  settling = setTimeout(() => void inTurn(buildPage), SETTLE_MS);
});

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => void stop());
}

async function stop() {
  await page.close();
  await context.dispose();
  await stopHub();
  process.exit();
}

/**
 * Builds, and starts the hub again: it reads the page once. A build that fails is reported, and the hub stays.
 * @param {() => Promise<unknown>} work
 */
function inTurn(work) {
  queue = after(queue, work);
  return queue;
}

/** @param {Promise<void>} earlier @param {() => Promise<unknown>} work */
async function after(earlier, work) {
  await earlier;
  try {
    await work();
    await restart();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}

async function restart() {
  await stopHub();
  const args = [join(root, 'dist/zoo.js'), 'serve', '--no-open', ...process.argv.slice(2)];
  hub = spawn(process.execPath, args, { stdio: 'inherit' });
}

async function stopHub() {
  if (!hub || hub.exitCode !== null || hub.signalCode !== null) return;
  const stubborn = setTimeout(() => hub?.kill('SIGKILL'), 5000);
  hub.kill('SIGTERM');
  await once(hub, 'exit');
  clearTimeout(stubborn);
}
