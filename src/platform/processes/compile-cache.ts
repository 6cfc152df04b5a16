import * as nodeModule from 'node:module';

/**
 * Caches compiled modules between runs where Node supports it (from 22.1). The folder must belong to the user: its
 * content is executed.
 */
export function keepCompiled(folder: string): void {
  const enable: unknown = Reflect.get(nodeModule, 'enableCompileCache');
  if (typeof enable === 'function') Reflect.apply(enable, nodeModule, [folder]);
}
