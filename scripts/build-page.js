import { join, relative } from 'node:path';
import { build } from 'vite';
import { root } from './root.js';

/** Packages of the page that are no modules: their fonts and styles are bundled by name. */
const styled = [
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
  '@fontsource-variable/newsreader',
  'tailwindcss',
];

/**
 * Builds `web/` into dist/web.
 * @returns {Promise<string[]>} its source files, relative to the project
 */
export async function buildPage() {
  const built = await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const modules = outputs.flatMap((output) => (output.type === 'chunk' ? Object.keys(output.modules) : []));
  return [
    ...modules.filter((id) => id.startsWith(root)).map((id) => relative(root, id)),
    ...styled.map((name) => `node_modules/${name}/package.json`),
  ];
}
