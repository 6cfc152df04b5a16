import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { root } from './root.js';

// How npm reaches a registry. Everything else that an outer npm puts into the environment (its flags, its
// prefix, what to omit) was meant for the outer command and would change what an inner one installs.
const kept =
  /^npm_config_(\/\/.*|@.*|_.*|registry|userconfig|globalconfig|cache|cafile|ca|cert|key|(https?_)?proxy|no_?proxy|strict_ssl|offline|prefer_offline|nodedir|python)$/i;

/** @param {NodeJS.ProcessEnv} env */
function withoutOuterNpm(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name)));
}

/**
 * Runs npm, what it says going to stderr.
 * @param {string[]} args
 * @param {string} [folder] the project's unless given
 * @returns {number} its exit code
 */
export function runNpm(args, folder = root) {
  const outer = process.env['npm_execpath'];
  const ownNpm = outer && basename(outer) === 'npm-cli.js' ? outer : null;
  const { status, error } = spawnSync(ownNpm ? process.execPath : 'npm', ownNpm ? [ownNpm, ...args] : args, {
    cwd: folder,
    env: withoutOuterNpm(process.env),
    stdio: ['ignore', 2, 2],
    shell: !ownNpm && process.platform === 'win32',
  });
  if (error) console.error(`npm could not be started: ${error.message}`);
  return status ?? 1;
}
