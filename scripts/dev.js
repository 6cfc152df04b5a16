import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stopWithNpm } from './parent.js';
import { ensureInstalled, forgetBuild } from './prepare.js';
import { root } from './root.js';

ensureInstalled();
forgetBuild();
stopWithNpm();
const esbuild = await import('esbuild');
const { build, bundleOptions } = await import('./bundle.js');

/** @type {import('node:child_process').ChildProcess | null} */
let hub = null;

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
      setup: ({ onEnd }) => onEnd(async ({ errors }) => (errors.length > 0 ? undefined : restart())),
    },
  ],
});
await context.watch();

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => void stop());
}

async function stop() {
  await context.dispose();
  await stopHub();
  process.exit();
}

async function restart() {
  await build({ keepRecent: true });
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
