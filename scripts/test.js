import { ensureBuilt, ensureInstalled } from './prepare.js';
import { runSuites } from './run-suites.js';
import { runVitest } from './run-vitest.js';

ensureInstalled();
await ensureBuilt();
const args = process.argv.slice(2);
// Arguments name tests or options of one run: those of the page have `npm run test:web` of their own.
if (args.length > 0) process.exitCode = (await runVitest(args)).code;
else await runSuites(['vitest.config.ts', 'vitest.web.config.ts']);
