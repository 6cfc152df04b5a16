/** Only the parts used here: TypeScript declares WebAssembly for browsers only. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
    static imports(module: Module): { module: string; name: string }[];
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, (...args: number[]) => unknown>>);
    readonly exports: Record<string, unknown>;
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  interface Table {
    get(index: number): (...args: number[]) => unknown;
    set(index: number, value: unknown): void;
    grow(by: number): number;
  }
}

declare module '*.wasm' {
  const bytes: Uint8Array;
  export default bytes;
}
