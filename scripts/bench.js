import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from './prepare.js';
import { root } from './root.js';

const folder = join(root, 'bench');
const suffix = '.bench.ts';
const all = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith(suffix))
      .map((file) => file.slice(0, -suffix.length))
  : [];

const args = process.argv.slice(2);
const firstFlag = args.findIndex((arg) => arg.startsWith('-'));
const names = firstFlag < 0 ? args : args.slice(0, firstFlag);
const flags = firstFlag < 0 ? [] : args.slice(firstFlag);

const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${all.join(', ') || 'none'}.`);
  process.exit(2);
}

ensureInstalled();
await ensureBuilt();
const esbuild = await import('esbuild');
const { bundleOptions, commandOptions } = await import('./bundle.js');
const { builtinsOfCommonJs } = await import('./bundle-plugins.js');
const chosen = names.length > 0 ? names : all;
await esbuild.build({
  ...bundleOptions(),
  // These find their weights and browsers beside their own files.
  external: [...bundleOptions().external, '@energetic-ai/*', 'playwright-core', '@sparticuz/chromium'],
  entryPoints: chosen.map((name) => `bench/${name}${suffix}`),
  outdir: 'dist/bench',
  outExtension: { '.js': '.mjs' },
  plugins: [builtinsOfCommonJs],
});
// What is measured against a command of ours is bundled as that is.
await esbuild.build({
  ...commandOptions(),
  entryPoints: readdirSync(folder)
    .filter((file) => file.endsWith('.bare.ts'))
    .map((file) => join('bench', file)),
  outdir: 'dist/bench',
  write: true,
});
await esbuild.stop();

// Node reads and parses these certificates at every start, which would be measured as ours.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
if (chosen.includes('peers')) env['ZOO_PEERS'] = JSON.stringify(await installPeers());
for (const name of chosen) {
  const script = join(root, 'dist/bench', `${name}.bench.mjs`);
  const { status } = spawnSync(process.execPath, [script, ...flags], { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
}

/** The command of each peer. They are installed outside of the project's dependencies. */
async function installPeers() {
  const { clientCommand, clientsFolder, ensureClients, peers } = await import('./clients.js');
  const cache = await clientsFolder();
  ensureClients(cache, peers);
  return Object.fromEntries(peers.map((peer) => [peer.name, clientCommand(cache, peer)]));
}
