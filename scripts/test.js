import { ensureBuilt, ensureInstalled } from './prepare.js';
import { runVitest } from './run-vitest.js';

ensureInstalled();
await ensureBuilt();
await runVitest(process.argv.slice(2));
