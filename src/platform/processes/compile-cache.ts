import * as nodeModule from 'node:module';

/**
 * Keeps what is compiled from here on, for the next time, where Node can (from 22.1). The folder must be the user's
 * own: what lies in it is run.
 */
export function keepCompiled(folder: string): void {
  const enable: unknown = Reflect.get(nodeModule, 'enableCompileCache');
  if (typeof enable === 'function') Reflect.apply(enable, nodeModule, [folder]);
}
