import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import { isInside, realPath } from '../../platform/files/real-path.ts';
import type { Environment } from '../../platform/home/paths.ts';
import { findProgram } from '../../platform/processes/find-program.ts';
import { inheritedEnv } from '../../platform/processes/inherited-env.ts';
import type { Processes, ProcessLaunch, RunningProcess } from '../../platform/processes/processes.ts';
import { bubblewrapArguments, GATEWAY } from './bubblewrap.ts';
import { programPaths } from './program-paths.ts';
import { RELAY } from './relay.ts';

/** The access that a member's processes have. */
export interface Confinement {
  member: string;
  folder: string;
  readOnly: boolean;
  writable: readonly string[];
  guarded: readonly string[];
  /** Files and folders that its harness needs, read-only. `~` is the user's home. */
  readable: readonly string[];
  /** Where its processes reach the hub (host and port) and the models if they have no network. */
  gateway: { path: string; hub: string } | null;
}

export type StartProcess = (launch: ProcessLaunch) => Promise<RunningProcess>;

export interface Sandbox {
  /** Why no process can be confined here; null if it works. */
  missing(): Promise<string | null>;
  /** Starts confined processes. */
  confine(confinement: Confinement): StartProcess;
  /** Where a member's processes find their home. */
  homeOf(member: string): string;
}

export interface SandboxOptions {
  processes: Processes;
  env: Environment;
  zooHome: string;
  /** Where the hub listens for `zoo mcp`. */
  hubSocket: string;
  /** The program of the hub, which members start as `zoo mcp`. */
  hubProgram: string;
}

const USER_HOME_VARIABLES = /^(?:XDG_|TMPDIR$)/;

/** bubblewrap, which needs Linux and user namespaces. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { processes, env, zooHome, hubSocket, hubProgram } = options;
  let probed: Promise<string | null> | undefined;
  const homeOf = (member: string): string => join(zooHome, 'members', member);
  const basics = Object.fromEntries(
    Object.entries(inheritedEnv(env)).filter(([name]) => !USER_HOME_VARIABLES.test(name)),
  );

  return {
    async missing() {
      probed ??= probe(processes, env);
      const problem = await probed;
      // It may be installed while the hub runs.
      if (problem !== null) probed = undefined;
      return problem;
    },
    homeOf,
    confine: (confinement) => async (launch) => {
      const userHome = await realPath(env['HOME'] ?? homedir());
      const folder = await realPath(confinement.folder);
      if (isInside(folder, userHome)) {
        throw new ZooError(
          'permission_denied',
          `The workspace ${folder} contains your home folder, which a sandbox has to hide. Use a folder below it.`,
        );
      }
      const file = await findProgram(launch.command, env, launch.cwd);
      if (file === null) throw new ZooError('agent_error', `${launch.command} not found`);
      const hub = await realPath(zooHome);
      const hidden = [userHome, hub];
      const privateHome = homeOf(confinement.member);
      await mkdir(privateHome, { recursive: true, mode: 0o700 });
      const named = confinement.readable.map((path) => path.replace(/^~(?=\/)/, userHome));
      const certificates = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'].flatMap(
        (name) => basics[name] ?? [],
      );
      const resolver = await realPath('/etc/resolv.conf');
      const { gateway } = confinement;
      const relay = gateway && [process.execPath, '-e', RELAY, GATEWAY, gateway.hub];
      const args = bubblewrapArguments({
        ...confinement,
        folder,
        gateway: gateway?.path ?? null,
        readable: [
          ...(await programPaths(file)),
          ...(await programPaths(process.execPath)),
          dirname(await realPath(hubProgram)),
          resolver,
          ...certificates,
          ...named,
        ].filter((path) => !hidden.some((each) => isInside(path, each))),
        privateHome,
        userHome,
        zooHome: hub,
        hubSocket,
      });
      return processes.start({
        ...launch,
        command: 'bwrap',
        args: [...args, ...(relay ?? []), file, ...launch.args],
        env: { ...basics, HOME: userHome, ...launch.env },
        cwd: dirname(file),
        inherits: false,
      });
    },
  };
}

async function probe(processes: Processes, env: Environment): Promise<string | null> {
  if ((await findProgram('bwrap', env, '/')) === null) {
    return 'bubblewrap is not installed (Debian and Ubuntu: apt install bubblewrap)';
  }
  const child = await processes.start({
    command: 'bwrap',
    args: ['--unshare-all', '--ro-bind', '/', '/', 'true'],
    env: {},
    cwd: '/',
  });
  const { code } = await child.ended;
  return code === 0 ? null : `bubblewrap cannot run here: ${child.said() || `exit code ${code}`}`;
}
