// Named exports, for `import()`: the bundle of a CommonJS package has no names of its own.
export { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
