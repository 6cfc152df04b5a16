import type { Environment } from '../home/paths.ts';

/** Basic variables that programs need. Anything else must be in their config. */
const INHERITED = 'HOME LOGNAME PATH SHELL TERM USER LANG LC_ALL TMPDIR TZ';
const CACHES = 'XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR';
const NETWORK =
  'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR';
const WINDOWS =
  'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR';
const NAMES = new Set([INHERITED, CACHES, NETWORK, WINDOWS].flatMap((names) => names.split(' ')));

/** The part of the hub's environment that child processes may see; API keys, for example, are left out. */
export function inheritedEnv(env: Environment): Record<string, string> {
  // Variable names are case-insensitive on Windows.
  const isInherited = (name: string): boolean =>
    NAMES.has(process.platform === 'win32' ? name.toUpperCase() : name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && isInherited(name) ? [[name, value]] : [],
    ),
  );
}
