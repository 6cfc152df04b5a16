import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { clientCommand, clientsFolder, ensureClients } from './clients.js';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { root } from './root.js';

/** Runs `npm test` on other versions of Node.js, which are installed into the cache that the clients are in. */
const VERSIONS = ['22.23.3', '24.21.0'];

ensureInstalled();
await ensureBuilt();
const cache = await clientsFolder();
const platform = process.platform === 'win32' ? 'win' : process.platform;
const failed = VERSIONS.filter((version) => {
  const file = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const release = { name: 'node', package: `node-${platform}-${process.arch}`, version, file };
  ensureClients(cache, [release]);
  const [node = ''] = clientCommand(cache, release);
  const began = Date.now();
  const { status } = spawnSync(node, [join(root, 'scripts/test.js'), ...process.argv.slice(2)], {
    cwd: root,
    // Tests that call `node` get the same version.
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` },
    stdio: 'inherit',
  });
  console.log(`== Node.js ${version}: exit code ${status}, ${Math.round((Date.now() - began) / 1000)} s`);
  return status !== 0;
});
if (failed.length > 0) {
  console.error(`Failed on Node.js ${failed.join(', ')}`);
  process.exitCode = 1;
}
