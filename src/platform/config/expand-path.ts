import { homedir } from 'node:os';
import { resolve } from 'node:path';

/** A path in a config: expands `~`; relative paths start at the config's folder. */
export function expandPath(folder: string, path: string): string {
  const home = /^~(?:[/\\]|$)/.test(path);
  return home ? resolve(homedir(), `.${path.slice(1)}`) : resolve(folder, path);
}
