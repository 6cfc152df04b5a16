import { dirname } from 'node:path';
import { realPath } from '../../platform/files/real-path.ts';

/**
 * What a program needs to be readable: itself and its folder, the same for what it links to, and for a package of npm
 * the `node_modules` that it is in.
 */
export async function programPaths(file: string): Promise<string[]> {
  const real = await realPath(file);
  const [above = ''] = real.split('/node_modules/');
  const own = above === real ? dirname(real) : `${above}/node_modules`;
  return [...new Set([file, real, dirname(file), own])];
}
