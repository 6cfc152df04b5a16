import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { root } from './root.js';

ensureInstalled();
await ensureBuilt();
const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/count-reporter.js')}`];
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
