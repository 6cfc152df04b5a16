import { ensureBuilt, ensureInstalled } from './prepare.js';
import { runVitest } from './run-vitest.js';

ensureInstalled();
await ensureBuilt();
await runVitest(['--config', 'vitest.web.config.ts', ...process.argv.slice(2)]);
