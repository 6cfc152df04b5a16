import { register } from 'node:module';

// The suite imports `fs.globSync`, which Node 20 does not have; it is used only to compare releases of the suite.
register(
  `data:text/javascript,${encodeURIComponent(`
    const source = "import fs from 'node:fs'; export * from 'node:fs'; export default fs; export const globSync = fs.globSync ?? (() => []);";
    export const resolve = (specifier, context, next) =>
      specifier === 'fs' && context.parentURL?.includes('/conformance/')
        ? { url: 'data:text/javascript,' + encodeURIComponent(source), shortCircuit: true }
        : next(specifier, context);
  `)}`,
);
