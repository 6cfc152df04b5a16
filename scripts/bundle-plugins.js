import { builtinModules } from 'node:module';

/** @import * as esbuild from 'esbuild' */

/**
 * Puts other contents, which may `require` other files of the build, in the place of a module.
 * @param {RegExp} filter
 * @param {string} contents
 * @returns {esbuild.Plugin}
 */
export const standIn = (filter, contents) => ({
  name: 'stand-in',
  setup({ onResolve, onLoad }) {
    const namespace = filter.source;
    onResolve({ filter }, ({ path }) => ({ path, namespace }));
    onResolve({ filter: /./, namespace }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /./, namespace }, () => ({ contents }));
  },
});

/**
 * Leaves every `import()` to be done at run time, from where `chunkOf` says. What is to stay in the bundle has none.
 * @param {(path: string) => string | null} chunkOf
 * @returns {esbuild.Plugin}
 */
export const lazyImports = (chunkOf) => ({
  name: 'lazy-imports',
  setup(build) {
    build.onResolve({ filter: /./ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === 'resolved') return undefined;
      const found = await build.resolve(path, { kind, resolveDir, pluginData: 'resolved' });
      if (found.errors.length > 0 || found.external) return found;
      const chunk = chunkOf(found.path);
      return chunk === null ? found : { path: chunk, external: true };
    });
  },
});

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
 * A module with these names, which evaluates an expression when one of them is first used.
 * @param {readonly string[]} names
 * @param {string} expression
 */
export const lazyExports = (names, expression) => `const load = () => ${expression};
for (const name of ${JSON.stringify(names)})
  Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });`;

/** Builtins that most commands never use, though some module they load imports them. */
const rarelyUsed =
  /^(?:node:)?(?:child_process|dns|http|https|net|stream\/promises|timers\/promises|worker_threads)$/;

/**
 * Loads those builtins on first use instead of at the start: together they take as long as a third of bare Node.
 * @type {esbuild.Plugin}
 */
export const lazyBuiltins = {
  name: 'lazy-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: rarelyUsed }, ({ path, kind }) =>
      kind === 'dynamic-import' ? undefined : { path, namespace: 'lazy-builtin' },
    );
    onLoad({ filter: /./, namespace: 'lazy-builtin' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {});
      return { contents: lazyExports(names, `process.getBuiltinModule(${JSON.stringify(path)})`) };
    });
  },
};
