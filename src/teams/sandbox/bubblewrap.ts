import { isInside } from '../../platform/files/real-path.ts';

/** What the processes of a member see of the machine. All paths are absolute and real. */
export interface SandboxView {
  /** The workspace, at the same path as outside. */
  folder: string;
  /** For reviewers. */
  readOnly: boolean;
  /** Writable besides the workspace, such as the git directory of a worktree. */
  writable: readonly string[];
  /** Read-only although they are inside of a writable folder, such as git hooks, which others would run. */
  guarded: readonly string[];
  /** Programs outside of the system's folders, and the credentials that the harness names. Missing ones are skipped. */
  readable: readonly string[];
  /** A folder of its own that stands in for the user's home. */
  privateHome: string;
  userHome: string;
  /** Never visible. */
  zooHome: string;
  /** Where the hub listens for `zoo mcp`. It knows members by their tokens. */
  hubSocket: string;
  /** The socket that everything else has to pass; null with a network. */
  gateway: string | null;
}

/** Where the sockets are inside of the sandbox. */
const SOCKETS = '/run/zoo';
export const GATEWAY = `${SOCKETS}/gateway.sock`;
export const HUB_SOCKET = `${SOCKETS}/hub.sock`;

/** The system, without /home, /root, /run, /srv, /var and whatever else is mounted. */
const SYSTEM = '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu'.split(' ');

const NAMESPACES = '--unshare-pid --unshare-uts --unshare-ipc --unshare-cgroup-try --die-with-parent'.split(
  ' ',
);
const OWN = '--proc /proc --dev /dev --tmpfs /tmp'.split(' ');

/** The arguments of `bwrap` in front of a command. Later ones are mounted on top of earlier ones. */
export function bubblewrapArguments(view: SandboxView): string[] {
  const bind = (option: string, from: string, to: string) => [option, from, to];
  const same = (option: string) => (path: string) => bind(option, path, path);
  return [
    ...NAMESPACES,
    ...(view.gateway === null ? [] : ['--unshare-net']),
    ...SYSTEM.flatMap(same('--ro-bind-try')),
    ...OWN,
    ...bind('--bind', view.privateHome, view.userHome),
    ...view.readable.flatMap(same('--ro-bind-try')),
    ...same(view.readOnly ? '--ro-bind' : '--bind')(view.folder),
    // The workspace may contain the hub's own folder.
    ...(isInside(view.folder, view.zooHome) ? ['--tmpfs', view.zooHome] : []),
    ...view.writable.flatMap(same(view.readOnly ? '--ro-bind' : '--bind')),
    ...view.guarded.flatMap(same('--ro-bind-try')),
    '--dir',
    SOCKETS,
    ...bind('--bind-try', view.hubSocket, HUB_SOCKET),
    ...(view.gateway === null ? [] : bind('--bind', view.gateway, GATEWAY)),
    '--remount-ro',
    '/',
    '--chdir',
    view.folder,
    '--',
  ];
}
