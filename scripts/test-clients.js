import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { clientsFolder, ensureClients } from './clients.js';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { root } from './root.js';

ensureInstalled();
await ensureBuilt();
try {
  ensureClients(await clientsFolder());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/count-reporter.js')}`];
const config = ['--config', 'vitest.clients.config.ts'];
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', ...config, ...reporters, ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
