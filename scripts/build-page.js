import { join, relative } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { build } from 'vite';
import { root } from './root.js';
import { wireTableForVite } from './wire-table.js';

/** Packages of the page that are no modules: their fonts and styles are bundled by name. */
const styled = [
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
  '@fontsource-variable/newsreader',
  'tailwindcss',
];

/**
 * Builds `web/` into dist/web, where the hub serves it from.
 * @returns {Promise<string[]>} its source files, relative to the project
 */
export async function buildPage() {
  const built = await buildForProduction();
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const modules = outputs.flatMap((output) => (output.type === 'chunk' ? Object.keys(output.modules) : []));
  return [
    ...modules.filter((id) => id.startsWith(root)).map((id) => relative(root, id)),
    ...styled.map((name) => `node_modules/${name}/package.json`),
  ];
}

/** Vite takes React's development build, several times slower, if NODE_ENV says anything else: `test` in a test run. */
async function buildForProduction() {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    return await build(pageOptions());
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

/** @returns {import('vite').InlineConfig} */
const pageOptions = () => ({
  configFile: false,
  root: join(root, 'web'),
  logLevel: 'warn',
  plugins: [wireTableForVite(), tailwindcss()],
  build: {
    outDir: join(root, 'dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // The page's policy has no `data:` for fonts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      onLog(level, log, report) {
        // Libraries mark files for React's server components, which this page has none of.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
