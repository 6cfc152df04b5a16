import { ensureBuilt, ensureInstalled } from './prepare.js';
import { runVitest } from './run-vitest.js';

ensureInstalled();
await ensureBuilt();
const args = process.argv.slice(2);
await runVitest(args);
// Arguments name tests or options of one run: those of the page have `npm run test:web` of their own.
if (args.length === 0) await runVitest(['--config', 'vitest.web.config.ts']);
