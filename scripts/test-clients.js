import { clientsFolder, ensureClients } from './clients.js';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { runTests } from './run-tests.js';

ensureInstalled();
await ensureBuilt();
try {
  ensureClients(await clientsFolder());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
await runTests(['vitest.clients.config.ts'], process.argv.slice(2));
