import { clientsFolder, ensureClients } from './clients.js';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { runSuites } from './run-suites.js';
import { runVitest } from './run-vitest.js';

ensureInstalled();
await ensureBuilt();
try {
  ensureClients(await clientsFolder());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
const config = 'vitest.clients.config.ts';
const args = process.argv.slice(2);
if (args.length > 0) process.exitCode = (await runVitest(['--config', config, ...args])).code;
else await runSuites([config]);
