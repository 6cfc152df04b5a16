// By name, for `import()`: the bundle of a CommonJS package that is imported whole has no names.
export { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
