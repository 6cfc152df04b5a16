// By name, for `import()`: the bundle of a CommonJS package that is imported whole has no names.
export { convertToHtml } from 'mammoth';
