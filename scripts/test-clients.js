import { clientsFolder, ensureClients } from './clients.js';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { runVitest } from './run-vitest.js';

ensureInstalled();
await ensureBuilt();
try {
  ensureClients(await clientsFolder());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
await runVitest(['--config', 'vitest.clients.config.ts', ...process.argv.slice(2)]);
