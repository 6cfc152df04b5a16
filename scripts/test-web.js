import { ensureBuilt, ensureInstalled } from './prepare.js';
import { runSuites } from './run-suites.js';
import { runVitest } from './run-vitest.js';

ensureInstalled();
await ensureBuilt();
const config = 'vitest.web.config.ts';
const args = process.argv.slice(2);
if (args.length > 0) process.exitCode = (await runVitest(['--config', config, ...args])).code;
else await runSuites([config]);
