import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { buildPage } from './build-page.js';
import { builtinsOfCommonJs, lazyBuiltins, lazyExports, lazyImports, standIn } from './bundle-plugins.js';
import { renderNotices } from './notices.js';
import { root } from './root.js';
import { wireTable } from './wire-table.js';

const dist = join(root, 'dist');
const contract = join(root, 'src/contract/');
const hourMs = 3_600_000;

/** What every bundle has in common: the command, its workers, and the benchmarks. */
export function bundleOptions() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return /** @type {const} @satisfies {esbuild.BuildOptions} */ ({
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    external: ['@photostructure/sqlite', 'jiti', 'sqlite-vec'],
    define: { __ZOO_VERSION__: JSON.stringify(version) },
    loader: { '.wasm': 'binary' },
    logLevel: 'warning',
  });
}

/** @param {{ keepRecent: boolean }} options */
export async function build({ keepRecent }) {
  const { chunks, table } = await buildChunks();
  const [page, local, beside, command, bridges, workers, packaged] = await Promise.all([
    buildPage(),
    buildLocalHub(table),
    buildBesideLocalHub(),
    buildCommand(table),
    buildBridges(),
    buildWorkers(),
    buildPackage(),
  ]);
  const files = [
    ...chunks.outputFiles,
    ...local.outputFiles,
    ...beside.outputFiles,
    ...workers.outputFiles,
    ...packaged.outputFiles,
    ...command.outputFiles,
    ...bridges.outputFiles,
  ];
  const inputs = [chunks, local, beside, command, bridges, workers].flatMap(({ metafile }) =>
    Object.keys(metafile.inputs),
  );
  writeOutput(files, [...inputs, ...page], keepRecent);
  place(join(dist, 'index.mjs'), `export * from '${table.get(join(root, 'src/embed.ts'))}';\n`);
  await declareTypes();
  await esbuild.stop();
}

/** What both halves of the build have in common. */
const halfOptions = () =>
  /** @type {const} @satisfies {esbuild.BuildOptions} */ ({
    ...bundleOptions(),
    outdir: 'dist',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    write: false,
  });

/**
 * The command itself is one CommonJS file, which Node starts a third faster than ES modules: it holds what every
 * command needs and what talks to a running hub. Whatever the sources `import()` stays a chunk of its own.
 * @param {Map<string, string>} chunkOf the chunk of each module that is imported when it is needed
 */
async function buildCommand(chunkOf) {
  const built = await esbuild.build({
    ...commandOptions(),
    entryPoints: [{ in: 'src/main.ts', out: 'cli' }],
    banner: { js: importChunk },
    plugins: [
      lazyBuiltins,
      wireTable,
      standIn(
        localHub,
        'module.exports = require("./load-compiled.js").loadCompiled(require.resolve("./local-hub.js"));',
      ),
      lazyImports((path) => chunkOf.get(path) ?? './unknown'),
    ],
  });
  return { ...built, outputFiles: built.outputFiles.map(withImportChunk) };
}

/**
 * The hub of a command that finds none running, again in one CommonJS file: as ES modules it is fifty files, and
 * takes half as long again to load. What it imports when it is needed are the chunks of everybody, but for the
 * schemas: those are in the file, and made when they are needed.
 * @param {Map<string, string>} chunkOf
 */
async function buildLocalHub(chunkOf) {
  const built = await esbuild.build({
    ...commandOptions(),
    entryPoints: [{ in: 'src/surfaces/cli/hub-access/local-client.ts', out: 'local-hub' }],
    define: { ...bundleOptions().define, 'import.meta.url': 'importMetaUrl' },
    banner: {
      js: `const importMetaUrl = require("node:url").pathToFileURL(__filename).href; ${importChunk}`,
    },
    plugins: [
      lazyBuiltins,
      wireTable,
      ...(await Promise.all(besideLocalHub.map(requireBeside))),
      standIn(/^any-ascii$/, 'module.exports = (text) => require("./letters.js").default(text);'),
      lazyImports((path) => (path.startsWith(contract) ? null : (chunkOf.get(path) ?? './unknown'))),
    ],
  });
  return { ...built, outputFiles: built.outputFiles.map(withImportChunk) };
}

/** Of a file that is required without load-compiled.ts. */
const importChunk = 'var importChunk = importChunk ?? ((path) => import(path));';

/**
 * Chunks are imported by a function that load-compiled.ts passes: code from V8's cache cannot use `import()`.
 * @param {esbuild.OutputFile} file
 */
function withImportChunk(file) {
  const text = file.text.replaceAll('import("./chunks/', 'importChunk("./chunks/');
  // One is left: that of the banner.
  const left = text.split(/\bimport\(/).length - 1;
  if (left !== 1) throw new Error(`${file.path} has ${left - 1} import() that names no chunk`);
  return { ...file, text };
}

/** Where the sources import it, it is required: that does without the loader of ES modules. */
const localHub = /\/local-client\.ts$/;

/**
 * Readers of config and Markdown files, which as chunks would start the loader of ES modules, and the table by which
 * names in other scripts become ids: it is as large as the rest of the local hub, and few commands need it.
 */
const besideLocalHub = [
  { in: 'smol-toml', out: 'toml', filter: /^smol-toml$/ },
  { in: 'toml-eslint-parser', out: 'toml-lines', filter: /^toml-eslint-parser$/ },
  { in: 'src/platform/files/yaml.ts', out: 'yaml', filter: /\/yaml\.ts$/ },
];

/**
 * Requires it on first use, if it is a package: some module that every command loads imports it.
 * @param {typeof besideLocalHub[number]} beside
 */
async function requireBeside({ in: entry, out, filter }) {
  const file = `require("./${out}.js")`;
  if (entry.startsWith('src/')) return standIn(filter, `module.exports = ${file};`);
  return standIn(filter, lazyExports(Object.keys(await import(entry)), file));
}

function buildBesideLocalHub() {
  const entryPoints = besideLocalHub.map(({ in: entry, out }) => ({ in: entry, out }));
  return esbuild.build({
    ...commandOptions(),
    entryPoints: [
      ...entryPoints,
      { in: 'any-ascii', out: 'letters' },
      { in: 'src/platform/processes/load-compiled.ts', out: 'load-compiled' },
    ],
  });
}

/** How whatever is started as a command is bundled. */
export const commandOptions = () =>
  /** @type {const} @satisfies {esbuild.BuildOptions} */ ({ ...halfOptions(), format: 'cjs' });

/** What IDEs start, once for each window: they relay to the hub, and load nothing that they do not need for that. */
function buildBridges() {
  return esbuild.build({
    ...commandOptions(),
    entryPoints: [
      { in: 'src/surfaces/mcp/bridge/main.ts', out: 'bridge' },
      { in: 'src/surfaces/acp/bridge/main.ts', out: 'acp-bridge' },
    ],
  });
}

/** What others import: `agent-zoo/agent`, for modules of agents. The hub itself is one of the chunks. */
function buildPackage() {
  return esbuild.build({
    ...halfOptions(),
    entryPoints: [{ in: 'src/contract/package/agent-module.ts', out: 'agent' }],
    outExtension: { '.js': '.mjs' },
  });
}

/** Files of the package whose types others see, and what they are called there. */
const declared = { 'agent-module': 'agent', 'embed-api': 'index' };
const embedded = `export { defineAgent } from './agent.mjs';
export type * from './agent.mjs';
export declare const createHub: CreateHub;
export declare const runServer: RunServer;
`;

/** The types of what others import. Nothing of it leads into the sources, so it is made of two files. */
async function declareTypes() {
  const folder = mkdtempSync(join(tmpdir(), 'zoo-types-'));
  try {
    const sources = Object.keys(declared).map((name) => join('src/contract/package', `${name}.ts`));
    const options = '--noCheck --declaration --emitDeclarationOnly --target es2023 --module nodenext'.split(
      ' ',
    );
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const flags = ['--ignoreConfig', '--allowImportingTsExtensions', '--outDir', folder, ...options];
    await promisify(execFile)(process.execPath, [compiler, ...flags, ...sources], { cwd: root });
    for (const [name, out] of Object.entries(declared)) {
      const text = readFileSync(join(folder, `${name}.d.ts`), 'utf8').replaceAll(
        './agent-module.ts',
        './agent.mjs',
      );
      place(join(dist, `${out}.d.mts`), name === 'embed-api' ? text + embedded : text);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The program itself only chooses between them. */
const program = `#!/usr/bin/env node
'use strict';
const [, , command, ...words] = process.argv;
const isBridge =
  (command === 'mcp' && require('./bridge.js').bridge(words)) ||
  (command === 'acp' && require('./acp-bridge.js').acpBridge(words));
if (!isBridge) require('./load-compiled.js').loadCompiled(require.resolve('./cli.js'));
`;

async function buildChunks() {
  /** @type {Set<string>} */
  const lazy = new Set();
  const found = lazyImports((path) => {
    lazy.add(path);
    return path;
  });
  await esbuild.build({
    ...commandOptions(),
    entryPoints: ['src/main.ts'],
    plugins: [wireTable, standIn(localHub, ''), found],
  });
  const chunks = await esbuild.build({
    ...halfOptions(),
    entryPoints: [...lazy, 'src/embed.ts'],
    // Named after their content: a hub that is running during a build keeps using its own chunks.
    entryNames: 'chunks/[name]-[hash]',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    plugins: [
      builtinsOfCommonJs,
      wireTable,
      standIn(
        localHub,
        'import { createRequire } from "node:module"; const require = createRequire(import.meta.url); export const { openLocal } = require("../load-compiled.js").loadCompiled(require.resolve("../local-hub.js"));',
      ),
    ],
  });
  refuseNamelessImports(chunks.metafile);
  const table = Object.entries(chunks.metafile.outputs).flatMap(([output, { entryPoint }]) =>
    entryPoint === undefined
      ? []
      : [/** @type {const} */ ([join(root, entryPoint), `./${relative('dist', output)}`])],
  );
  return { chunks, table: new Map(table) };
}

/**
 * A CommonJS package that is imported lazily and whole has no names in a bundle, and nothing but the built
 * program would notice: a module of ours has to name what it wants of it.
 * @param {esbuild.Metafile} metafile
 */
function refuseNamelessImports({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    const nameless = imports.find(
      ({ kind, path }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs',
    );
    if (nameless)
      throw new Error(`${file} imports ${nameless.path} lazily: re-export its names from a module`);
  }
}

/** Found by their names. What they import when it is needed stays apart: a thread starts with what it always needs. */
async function buildWorkers() {
  const files = filesUnder(join(root, 'src')).filter((file) => file.endsWith('-worker.ts'));
  const workers = await esbuild.build({
    ...halfOptions(),
    entryPoints: files.map((file) => ({ in: file, out: `workers/${basename(file, '.ts')}` })),
    chunkNames: 'workers/chunks/[name]-[hash]',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    plugins: [builtinsOfCommonJs],
  });
  refuseNamelessImports(workers.metafile);
  return workers;
}

/**
 * Puts each file in place in one step, so that a command which starts during a build finds a whole one.
 * A running hub loads chunks when it needs them: with `keepRecent`, those of the last hour stay.
 * @param {esbuild.OutputFile[]} files
 * @param {string[]} inputs
 * @param {boolean} keepRecent
 */
function writeOutput(files, inputs, keepRecent) {
  place(join(dist, 'package.json'), '{ "type": "commonjs" }\n');
  // The command comes last but for the program: by then everything that it imports is there.
  const command = join(dist, 'cli.js');
  for (const { path, text } of files.toSorted(
    (a, b) => Number(a.path === command) - Number(b.path === command),
  )) {
    place(path, text);
  }
  place(join(dist, 'zoo.js'), program);
  place(join(dist, 'THIRD-PARTY-NOTICES.txt'), renderNotices(inputs));
  const written = new Set(files.map(({ path }) => path));
  for (const path of [...filesUnder(join(dist, 'chunks')), ...filesUnder(join(dist, 'workers'))]) {
    const recent = keepRecent && Date.now() - statSync(path).mtimeMs < hourMs;
    if (!written.has(path) && !recent) rmSync(path, { force: true });
  }
}

/** @param {string} path @param {string} text */
function place(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  chmodSync(draft, path.endsWith('zoo.js') ? 0o755 : 0o644);
  renameSync(draft, path);
}

/** @param {string} folder @returns {string[]} */
function filesUnder(folder) {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}
