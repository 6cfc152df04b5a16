import { ensureBuilt, ensureInstalled } from './prepare.js';
import { runTests } from './run-tests.js';

ensureInstalled();
await ensureBuilt();
await runTests(['vitest.config.ts', 'vitest.web.config.ts'], process.argv.slice(2));
