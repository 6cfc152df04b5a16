import { join } from 'node:path';
import type { Place } from './client.ts';

export function settingsFolder({ env, platform, home }: Place): string {
  if (platform === 'win32') return env['APPDATA'] || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return xdgFolder({ env, home });
}

/** Also on other platforms, for programs that use it there. */
export function xdgFolder({ env, home }: Pick<Place, 'env' | 'home'>): string {
  return env['XDG_CONFIG_HOME'] || join(home, '.config');
}
