import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { root } from './root.js';
import { runVitest } from './run-vitest.js';

/** The campaigns that `npm test` runs a short version of, in full; with names of files, only those. */
ensureInstalled();
await ensureBuilt();
const wanted = process.argv.slice(2);
process.exitCode = (await runVitest(wanted.length > 0 ? wanted : campaigns(), { ZOO_CAMPAIGN: '1' })).code;

function campaigns() {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name))
      .filter((file) => readFileSync(join(root, file), 'utf8').includes("/campaign.ts'")),
  );
}
