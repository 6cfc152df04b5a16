import { homedir } from 'node:os';
import { resolve } from 'node:path';

/** A path of a config: `~` is the user's own folder, and relative ones start from where the config is. */
export function expandPath(folder: string, path: string): string {
  const home = /^~(?:[/\\]|$)/.test(path);
  return home ? resolve(homedir(), `.${path.slice(1)}`) : resolve(folder, path);
}
