// Re-exported by name for `import()`: a bundled CommonJS package has no named exports.
export { Ajv2020 } from 'ajv/dist/2020.js';
export { Ajv } from 'ajv';
export { compileOutsidePattern } from '../platform/text/outside-pattern.ts';
