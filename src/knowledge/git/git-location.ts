import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expandPath } from '../../platform/config/expand-path.ts';
import { textIn } from '../connector-config.ts';
import type { ConfiguredSource } from '../connector.ts';
import { SourceError } from '../source-error.ts';

export interface GitLocation {
  /** The address for git; a path if it is local. */
  url: string;
  /** For display, without secrets. */
  shown: string;
  isLocal: boolean;
}

const transports = /^(?:https?|ssh|git):\/\//i;
const hasScheme = /^[a-z][a-z0-9+.-]*:(?::|\/\/)/i;
const likeScp = /^(?:[\w.-]+@)?[\w.-]+:(?!\/\/)(?!\\)/;

/** Parses the address of a remote repository or a local folder. Throws for anything else. */
export function locateGit({ folder, config }: ConfiguredSource): GitLocation {
  const url = textIn(config, 'url') ?? '';
  if (url === '' || url.startsWith('-')) {
    throw new SourceError(`\`url\` is not a repository URL: ${url === '' ? 'it is empty' : url}`);
  }
  if (hasScheme.test(url)) {
    if (/^file:/i.test(url)) return { url: pathOf(url), shown: withoutSecrets(url), isLocal: true };
    if (transports.test(url)) return { url, shown: withoutSecrets(url), isLocal: false };
    throw new SourceError(
      `unsupported scheme ${url.split(':', 1)[0]}: in \`url\`. Use https, http, ssh, git, file or a path`,
    );
  }
  const path = expandPath(folder, url);
  // `C:\repo` is a path; `host:repo` is one only if it exists.
  if (likeScp.test(url) && !/^[a-z]:[\\/]/i.test(url) && !existsSync(path)) {
    return { url, shown: url.replace(/^[^@/]*@/, ''), isLocal: false };
  }
  return { url: path, shown: path, isLocal: true };
}

/** The path of a `file:` URL. It is read as a folder: git itself would start another git process in it. */
function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new SourceError(`\`url\` is not a local folder: ${withoutSecrets(url)}`);
  }
}

function withoutSecrets(url: string): string {
  try {
    const parsed = new URL(url);
    parsed.username = '';
    parsed.password = '';
    parsed.search = '';
    return parsed.href;
  } catch {
    return url.replace(/\/\/[^/@]*@/, '//');
  }
}

/** The web address of files in a repository, for known hosts. */
export function webAddress({ url }: GitLocation, branch: string): ((path: string) => string) | null {
  const found =
    /^(?:https?:\/\/(?:[^/@]*@)?|ssh:\/\/(?:[^/@]*@)?|git@)([\w.-]+)(?::\d+)?[/:](.+?)(?:\.git)?\/?$/.exec(
      url,
    );
  const [, host = '', repository = ''] = found ?? [];
  const kind = hosts.find(([pattern]) => pattern.test(host))?.[1];
  if (!kind) return null;
  const at = `https://${host}/${repository}/${kind}/${encodePath(branch)}`;
  return (path) => `${at}/${encodePath(path)}`;
}

const hosts: readonly (readonly [RegExp, string])[] = [
  [/^github\.com$/, 'blob'],
  [/^gitlab\.com$/, '-/blob'],
  [/^bitbucket\.org$/, 'src'],
  [/^codeberg\.org$/, 'src/branch'],
];

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');
