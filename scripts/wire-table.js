import * as esbuild from 'esbuild';

/**
 * Works the table of `contract/wire.ts` out now and puts plain data in its place: a command that talks to a
 * running hub then starts without the schemas that the table is derived from.
 * @type {esbuild.Plugin}
 */
export const wireTable = {
  name: 'wire-table',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]contract[\\/]wire\.ts$/ }, async ({ path }) => {
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
      return {
        contents: `export const wire = ${JSON.stringify(wire)};`,
        watchFiles: Object.keys(metafile.inputs),
      };
    });
  },
};
