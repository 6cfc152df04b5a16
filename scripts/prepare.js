import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './npm.js';
import { root } from './root.js';

const installStamp = join(root, 'node_modules/.agent-zoo-installed');
const buildStamp = join(root, 'dist/.agent-zoo-built');

/** Everything that can change what the build makes. */
const buildInputs = [
  'src',
  'web',
  'package.json',
  'package-lock.json',
  'scripts/build-page.js',
  'scripts/bundle.js',
  'scripts/bundle-plugins.js',
  'scripts/notices.js',
  'scripts/wire-table.js',
];

/** Installs the dependencies unless those of package-lock.json are there. Ends the process if it cannot. */
export function ensureInstalled() {
  requireNode(20, 19);
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const wanted = `${process.platform} ${process.arch} ${createHash('sha256').update(lock).digest('hex')}`;
  if (read(installStamp) === wanted) return;
  if (!matchesInstalled(lock)) {
    const first = !existsSync(join(root, 'node_modules'));
    console.error(first ? 'Installing dependencies (first run)…' : 'Installing dependencies (they changed)…');
    // --include=dev: a NODE_ENV of production would leave out what the build is made with.
    const code = runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
    if (code !== 0) fail('The dependencies could not be installed: npm says why above.', code);
  }
  writeFileSync(installStamp, wanted);
}

/**
 * Builds dist/ unless it was built from what is there now. Ends the process if it cannot.
 * @param {{ fresh?: boolean }} options
 */
export async function ensureBuilt(options = {}) {
  try {
    await buildIfChanged(options);
  } catch (error) {
    fail(`The build failed. ${firstLine(error)}`, 1);
  }
}

/** @param {{ fresh?: boolean }} options `fresh`: build in any case, and leave nothing of older builds */
export async function buildIfChanged({ fresh = false } = {}) {
  const wanted = hashOf(buildInputs);
  if (!fresh && read(buildStamp) === wanted && existsSync(join(root, 'dist/zoo.js'))) return;
  console.error('Building…');
  const { build } = await import('./bundle.js');
  await build({ keepRecent: !fresh });
  // The hash from before the build: what changed meanwhile is then built next time.
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(buildStamp, wanted);
}

/** @param {unknown} error */
export function firstLine(error) {
  return String(error).split('\n', 1)[0];
}

/** For builds that go on after this process has looked: the next `ensureBuilt` builds. */
export function forgetBuild() {
  rmSync(buildStamp, { force: true });
}

/** @param {number} major @param {number} minor */
function requireNode(major, minor) {
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  fail(`Agent Zoo needs Node.js ${major}.${minor} or newer; this is ${process.versions.node}.`, 1);
}

/**
 * Whether npm's own record of what it installed agrees with the lock file, as after a plain `npm install`.
 * @param {string} lock
 */
function matchesInstalled(lock) {
  const record = read(join(root, 'node_modules/.package-lock.json'));
  if (!record) return false;
  const installed = JSON.parse(record).packages;
  return Object.entries(JSON.parse(lock).packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    return found ? found.version === wanted.version : wanted.optional && !isForThisMachine(wanted);
  });
}

/** @param {{ os?: string[], cpu?: string[], libc?: string[] }} entry */
function isForThisMachine({ os, cpu, libc }) {
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch) && !libc);
}

/** @param {string[]} paths */
function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addTo(hash, path);
  return hash.digest('hex');
}

/** @param {import('node:crypto').Hash} hash @param {string} path */
function addTo(hash, path) {
  const full = join(root, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    for (const name of readdirSync(full).toSorted()) {
      if (name !== 'node_modules' && name !== 'dist') addTo(hash, `${path}/${name}`);
    }
  } else if (stat?.isFile()) {
    hash.update(`${path}\0${stat.size}\0`).update(readFileSync(full));
  }
}

/** @param {string} path */
function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** @param {string} message @param {number} code @returns {never} */
function fail(message, code) {
  console.error(message);
  process.exit(code);
}
