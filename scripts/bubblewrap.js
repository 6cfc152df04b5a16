import { spawnSync } from 'node:child_process';

/** Why members of teams cannot be confined on this machine, in words; null if they can. */
export function bubblewrapProblem() {
  if (process.platform !== 'linux') return 'bubblewrap needs Linux';
  const { status, stderr, error } = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], {
    encoding: 'utf8',
  });
  if (error) return 'bubblewrap is not installed';
  return status === 0 ? null : `bubblewrap cannot run here: ${stderr.trim()}`;
}

/** Installs bubblewrap where that is possible without asking: as root, on Debian and its relatives. */
export function ensureBubblewrap() {
  const isMissing = bubblewrapProblem() === 'bubblewrap is not installed';
  if (!isMissing || process.getuid?.() !== 0) return;
  const apt = (/** @type {string[]} */ ...args) =>
    spawnSync('apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
      timeout: 60_000,
    }).status === 0;
  const install = ['install', '-y', '--no-install-recommends', 'bubblewrap'];
  // The list of packages may be missing or old.
  if (!apt(...install) && apt('update')) apt(...install);
}
