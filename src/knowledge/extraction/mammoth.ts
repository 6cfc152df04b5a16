// Named exports for `import()`: a bundled CommonJS package has none of its own.
export { convertToHtml } from 'mammoth';
