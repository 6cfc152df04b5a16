import { spawn } from 'node:child_process';
import type { Environment } from '../../../platform/home/paths.ts';

/** Whether a browser window would be visible to the user. */
export function hasDisplay(env: Environment, platform: NodeJS.Platform = process.platform): boolean {
  if (env['CI'] || env['SSH_CONNECTION']) return false;
  if (platform === 'win32' || platform === 'darwin') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/** Opens a link in the user's browser; false if that fails. */
export async function openBrowser(
  url: string,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const [command, ...args] =
    platform === 'darwin'
      ? ['open', url]
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  return new Promise((resolve) => {
    const child = spawn(command ?? 'xdg-open', args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
