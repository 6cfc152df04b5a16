import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import * as esbuild from 'esbuild';
import { renderNotices } from './notices.js';
import { runNpm } from './npm.js';
import { root } from './root.js';
import { wireTable } from './wire-table.js';

const dist = join(root, 'dist');
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
    external: ['@photostructure/sqlite'],
    define: { __ZOO_VERSION__: JSON.stringify(version) },
    logLevel: 'warning',
  });
}

/**
 * The command and its workers, split into chunks so that a command loads no more than it uses.
 * @param {{ keepRecent: boolean }} options
 * @returns {esbuild.BuildOptions}
 */
export function hubOptions({ keepRecent }) {
  const workers = filesUnder(join(root, 'src')).filter((file) => file.endsWith('-worker.ts'));
  return {
    ...bundleOptions(),
    entryPoints: [
      { in: 'src/main.ts', out: 'zoo' },
      ...workers.map((file) => ({ in: relative(root, file), out: `workers/${basename(file, '.ts')}` })),
    ],
    outdir: 'dist',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    plugins: [builtinsOfCommonJs, wireTable, writeOutput(keepRecent)],
  };
}

/** @param {{ keepRecent: boolean }} options */
export async function build(options) {
  await esbuild.build(hubOptions(options));
  await esbuild.stop();
  if (existsSync(join(root, 'web/package.json')) && runNpm(['run', 'build', '-w', 'web']) !== 0) {
    throw new Error('the page did not build');
  }
}

/**
 * CommonJS packages `require('fs')`, which ES modules cannot. A `createRequire` in every chunk would be paid
 * for at each start; this costs only the packages that ask.
 * @type {esbuild.Plugin}
 */
export const builtinsOfCommonJs = {
  name: 'builtins-of-commonjs',
  setup({ onResolve, onLoad }) {
    const builtins = new Set(builtinModules);
    onResolve({ filter: /^[a-z]/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      return kind === 'require-call' && builtins.has(name) ? { path: name, namespace: 'builtin' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/**
 * Puts each file in place in one step, so that a command which starts during a build finds a whole one.
 * A running hub loads chunks when it needs them: with `keepRecent`, those of the last hour stay.
 * @param {boolean} keepRecent
 * @returns {esbuild.Plugin}
 */
const writeOutput = (keepRecent) => ({
  name: 'write-output',
  setup({ onEnd }) {
    onEnd(({ errors, outputFiles = [], metafile }) => {
      if (errors.length > 0) return;
      const command = join(dist, 'zoo.js');
      // The command comes last: by then everything that it imports is there.
      const files = outputFiles.toSorted((a, b) => Number(a.path === command) - Number(b.path === command));
      for (const { path, text } of files) {
        place(path, path === command && !text.startsWith('#!') ? `#!/usr/bin/env node\n${text}` : text);
      }
      if (metafile) place(join(dist, 'THIRD-PARTY-NOTICES.txt'), renderNotices(Object.keys(metafile.inputs)));
      const written = new Set(files.map(({ path }) => path));
      for (const path of [...filesUnder(join(dist, 'chunks')), ...filesUnder(join(dist, 'workers'))]) {
        const recent = keepRecent && Date.now() - statSync(path).mtimeMs < hourMs;
        if (!written.has(path) && !recent) rmSync(path, { force: true });
      }
    });
  },
});

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
