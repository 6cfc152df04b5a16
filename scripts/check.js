import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from './prepare.js';
import { root } from './root.js';

/** @type {[name: string, script: string, ...args: string[]][]} the slow ones first */
const steps = [
  ['types', 'node_modules/typescript/bin/tsc', '--noEmit'],
  ['types of the page', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'web'],
  ['types of its tests', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'test/web'],
  [
    'lint',
    'node_modules/oxlint/bin/oxlint',
    '--type-aware',
    '--deny-warnings',
    '--report-unused-disable-directives',
  ],
  ['format', 'node_modules/prettier/bin/prettier.cjs', '--check', '--cache', '--log-level=warn', '.'],
  ['architecture', 'node_modules/vitest/vitest.mjs', 'run', 'test/architecture'],
  ['dead code', 'node_modules/knip/bin/knip.js'],
  ['docs', 'scripts/docs.js', '--check'],
];

ensureInstalled();
const waiting = steps.filter(([, script]) => existsSync(join(root, script)));
const failed = /** @type {string[]} */ ([]);
const begunAt = Date.now();
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, runWaiting));
console.log(`All of it: ${secondsSince(begunAt)} s`);
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

async function runWaiting() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const [name, script, ...args] = step;
    const startedAt = Date.now();
    const { ok, output } = await run(script, args);
    console.log(
      `${ok ? 'ok    ' : 'FAILED'}  ${name} (${secondsSince(startedAt)} s)${ok ? '' : `\n\n${output.trim()}\n`}`,
    );
    if (!ok) failed.push(name);
  }
}

/** @param {number} startedAt */
function secondsSince(startedAt) {
  return ((Date.now() - startedAt) / 1000).toFixed(1);
}

/**
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
function run(script, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, script), ...args], { cwd: root });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}
