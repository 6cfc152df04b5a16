// By name, for `import()`: the bundle of a CommonJS package that is imported whole has no names.
export { Ajv2020 } from 'ajv/dist/2020.js';
export { Ajv } from 'ajv';
export { compileOutsidePattern } from '../platform/text/outside-pattern.ts';
