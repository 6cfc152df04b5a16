import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runNpm } from './npm.js';

/**
 * @typedef {object} Client
 * @property {string} name
 * @property {string} package
 * @property {string} version exact: without one, npm takes an older release on an older Node.js and says nothing
 * @property {string} file what to start, inside the package
 * @property {string[]} [mode] arguments that every use of it here begins with
 * @property {string} [setup] the one script of its installation that matters: it puts the program into its place
 */

/** @type {readonly Client[]} */
export const clients = [
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    file: 'bin/claude.exe',
    setup: 'install.cjs',
  },
  {
    name: 'claude-acp',
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.99.1',
    file: 'dist/index.js',
  },
  { name: 'codex', package: '@openai/codex', version: '0.166.0', file: 'bin/codex.js' },
  { name: 'codex-acp', package: '@agentclientprotocol/codex-acp', version: '2.6.0', file: 'dist/index.js' },
  { name: 'copilot', package: '@github/copilot', version: '1.0.102', file: 'npm-loader.js' },
  { name: 'gemini', package: '@google/gemini-cli', version: '0.61.0', file: 'bundle/gemini.js' },
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    file: 'bin/opencode.exe',
    setup: 'postinstall.mjs',
  },
  {
    name: 'inspector',
    package: '@modelcontextprotocol/inspector',
    version: '2.12.0',
    file: 'clients/launcher/build/index.js',
    mode: ['--cli'],
  },
];

/**
 * Programs that put stdio servers on HTTP, as the hub does: the benchmark `peers` runs them beside it.
 * @type {readonly Client[]}
 */
export const peers = [
  { name: 'mcp-hub', package: 'mcp-hub', version: '4.2.1', file: 'dist/cli.js' },
  { name: 'supergateway', package: 'supergateway', version: '4.0.0', file: 'dist/index.js' },
  { name: 'mcp-proxy', package: 'mcp-proxy', version: '6.7.19', file: 'dist/bin/mcp-proxy.mjs' },
];

/**
 * Where the clients are kept between runs. They are other people's programs and about 2 GB large: never in the clone.
 * @returns {Promise<string>}
 */
export async function clientsFolder() {
  const chosen = process.env['ZOO_CLIENTS_CACHE'];
  if (chosen) return resolve(chosen);
  const { default: envPaths } = await import('env-paths');
  return join(envPaths('agent-zoo', { suffix: '' }).cache, 'clients');
}

/**
 * The command of a client, as an argument list.
 * @param {string} cache @param {Client} client
 */
export function clientCommand(cache, client) {
  return commandIn(folderOf(cache, client), client);
}

/**
 * Installs the clients that are not there. Throws an `Error` that says which could not be.
 * @param {string} cache @param {readonly Client[]} wanted
 */
export function ensureClients(cache, wanted = clients) {
  for (const client of wanted) {
    if (existsSync(folderOf(cache, client))) continue;
    console.error(`Installing ${client.package} ${client.version} into ${cache}…`);
    mkdirSync(cache, { recursive: true });
    removeAbandoned(cache);
    install(cache, client);
  }
}

/** @param {string} cache @param {Client} client */
function folderOf(cache, { name, version }) {
  return join(cache, `${name}@${version}-${process.platform}-${process.arch}`);
}

/** @param {string} folder @param {Client} client */
function commandIn(folder, client) {
  const file = join(folder, 'node_modules', client.package, client.file);
  const program = /\.m?js$/.test(file) ? [process.execPath, file] : [file];
  return [...program, ...(client.mode ?? [])];
}

/**
 * Beside its place, and moved there when it has run once: a folder with its final name is always whole, also when
 * several runs install at once.
 * @param {string} cache @param {Client} client
 */
function install(cache, client) {
  const folder = join(cache, `installing-${process.pid}`);
  const made = join(folder, client.name);
  mkdirSync(made, { recursive: true });
  try {
    writeFileSync(join(made, 'package.json'), '{ "private": true }\n');
    const options = [
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--loglevel=error',
      '--include=optional',
    ];
    // Their scripts would build native modules that are not needed here.
    const npm = ['install', '--ignore-scripts', '--engine-strict=false', ...options];
    if (runNpm([...npm, `${client.package}@${client.version}`], made) !== 0) {
      throw new Error(`${client.package} ${client.version} could not be installed: npm says why above.`);
    }
    if (client.setup) runSetup(join(made, 'node_modules', client.package), client.setup);
    checkStarts(made, client);
    moveInto(made, folderOf(cache, client));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {string} script */
function runSetup(folder, script) {
  const { status } = spawnSync(process.execPath, [script], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${script} in ${folder} failed.`);
}

/** @param {string} from @param {string} target */
function moveInto(from, target) {
  try {
    renameSync(from, target);
  } catch (error) {
    // Another run was faster, and has installed the same.
    if (!existsSync(target)) throw error;
  }
}

/** @param {string} folder @param {Client} client */
function checkStarts(folder, client) {
  const [file = '', ...args] = commandIn(folder, client);
  const { stdout, stderr, error } = spawnSync(file, [...args, '--version'], {
    env: { PATH: process.env['PATH'], HOME: `${folder}-home` },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (stdout?.includes(client.version)) return;
  throw new Error(`${client.package} ${client.version} does not start. ${error ?? stderr}`);
}

/**
 * What runs that were killed have left.
 * @param {string} cache
 */
function removeAbandoned(cache) {
  const hour = 60 * 60 * 1000;
  for (const name of readdirSync(cache).filter((each) => each.startsWith('installing-'))) {
    const path = join(cache, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > hour) rmSync(path, { recursive: true, force: true });
  }
}
