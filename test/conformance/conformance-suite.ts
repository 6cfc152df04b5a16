import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { runNpm } from '../../scripts/npm.js';

const PACKAGE = '@modelcontextprotocol/conformance';
const VERSION = '0.2.0-alpha.12';
const HOOK = new URL('conformance-fs-hook.js', import.meta.url).href;

/** The official suite, installed once into the user's cache: it brings fifty megabytes that nothing else needs. */
export function ensureSuite(): string {
  const folder = join(envPaths('agent-zoo', { suffix: '' }).cache, `conformance@${VERSION}`);
  const program = join(folder, 'node_modules', PACKAGE, 'dist/index.js');
  if (existsSync(program)) return program;
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  try {
    writeFileSync(join(fresh, 'package.json'), '{ "private": true }');
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    if (runNpm(['install', '--save-exact', ...flags, `${PACKAGE}@${VERSION}`], fresh) !== 0) {
      throw new Error(`npm could not install ${PACKAGE}@${VERSION}`);
    }
    // Another run may have been faster; then its copy is as good as ours.
    if (!existsSync(program)) renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return program;
}

/** What the suite says at its end. Rejects with all it said unless it ends with 0. */
export function runSuite(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', HOOK, program, 'server', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`the suite ended with ${code}:\n${output}`));
    });
  });
}
