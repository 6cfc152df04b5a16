import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './prepare.js';
import { root } from './root.js';

// Regenerates the generated parts of the documentation; with --check it only reports which are out of date.

ensureInstalled();
const [esbuild, prettier, { bundleOptions }] = await Promise.all([
  import('esbuild'),
  import('prettier'),
  import('./bundle.js'),
]);
const [{ renderCommands }, { renderConfig }, { renderErrors }, { renderOperations }, { renderRooms }] =
  await Promise.all([
    import('./docs-cli.js'),
    import('./docs-config.js'),
    import('./docs-errors.js'),
    import('./docs-http.js'),
    import('./docs-rooms.js'),
  ]);

const sources = await loadSources();
const stale = /** @type {string[]} */ ([]);
await generate('docs/cli.md', renderCommands(sources));
await generate('docs/config.md', renderConfig(sources));
await generate('docs/errors.md', renderErrors(sources));
await generate('docs/http.md', renderOperations(sources));
await generate('docs/architecture.md', renderRooms());

if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}\nRun \`npm run docs\` and commit what it writes.`);
  process.exitCode = 1;
}

/**
 * Puts the text between the file's markers.
 * @param {string} name
 * @param {string} text
 */
async function generate(name, text) {
  const file = join(root, name);
  const before = readFileSync(file, 'utf8');
  const parts = /^([^]*<!-- generated[^>]*-->\n)[^]*(\n<!-- end of generated -->[^]*)$/.exec(before);
  if (!parts) throw new Error(`${name} has no place for what is generated: its markers are gone`);
  const options = { ...(await prettier.resolveConfig(file)), filepath: file };
  const after = await prettier.format(`${parts[1]}\n${text.trim()}\n${parts[2]}`, options);
  if (after === before) return;
  if (process.argv.includes('--check')) stale.push(name);
  else {
    writeFileSync(file, after);
    console.log(`Wrote ${name}`);
  }
}

/**
 * What the documentation is made from, as it is in src/ now. Packages stay outside, so that there is one zod;
 * so does what is imported lazily, since nothing of it runs.
 * @returns {Promise<import('./docs-sources.js').Sources>}
 */
async function loadSources() {
  const { outputFiles } = await esbuild.build({
    ...bundleOptions(),
    stdin: {
      contents: readFileSync(join(root, 'scripts/docs-sources.js'), 'utf8'),
      resolveDir: join(root, 'scripts'),
    },
    packages: 'external',
    write: false,
    plugins: [
      {
        name: 'nothing-lazy',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\./ }, ({ kind, path }) =>
            kind === 'dynamic-import' ? { path, external: true } : undefined,
          ),
      },
    ],
  });
  await esbuild.stop();
  const file = join(root, `dist/docs-${process.pid}.mjs`);
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(file, outputFiles[0]?.text ?? '');
  try {
    return (await import(pathToFileURL(file).href)).sources;
  } finally {
    rmSync(file, { force: true });
  }
}
