import * as esbuild from 'esbuild';

/** The module whose exports are plain data once it has been evaluated. */
const WIRE = /[\\/]contract[\\/]table[\\/]wire\.ts$/;

/**
 * Evaluates `contract/table/wire.ts` and renders the result as a module without imports, so that commands and the
 * page do not load the schema library that the table is derived from.
 * @param {string} path
 */
async function renderWireTable(path) {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    metafile: true,
  });
  const code = outputFiles[0]?.text ?? '';
  const { wire } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  return { code: `export const wire = ${JSON.stringify(wire)};`, inputs: Object.keys(metafile.inputs) };
}

/** @type {esbuild.Plugin} */
export const wireTable = {
  name: 'wire-table',
  setup({ onLoad }) {
    onLoad({ filter: WIRE }, async ({ path }) => {
      const { code, inputs } = await renderWireTable(path);
      return { contents: code, watchFiles: inputs };
    });
  },
};

/** The same for Vite and Rollup: `plugins: [wireTableForVite()]`. */
export const wireTableForVite = () => ({
  name: 'wire-table',
  /** Before Vite strips the types: the file is read again from disk, so its text here does not matter. */
  enforce: /** @type {const} */ ('pre'),
  /**
   * @this {{ addWatchFile(file: string): void }}
   * @param {string} id
   */
  async load(id) {
    const path = id.split('?')[0] ?? '';
    if (!WIRE.test(path)) return null;
    const { code, inputs } = await renderWireTable(path);
    for (const input of inputs) this.addWatchFile(input);
    return { code, map: null };
  },
});
