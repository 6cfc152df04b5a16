import { randomUUID } from 'node:crypto';
import type {
  CreateTerminalRequest,
  TerminalExitStatus,
  TerminalOutputResponse,
} from '@agentclientprotocol/sdk';
import type { RunningProcess } from '../../../platform/processes/processes.ts';
import type { SessionLaunch } from '../../harness.ts';
import type { StartProcess } from '../../sandbox/sandbox.ts';
import { pathInside } from '../../workspace.ts';

const MOST_OUTPUT = 1024 * 1024;
const MOST_TERMINALS = 16;

/** Commands that an agent runs through its client, with the rights of the member and inside of its workspace. */
export interface Terminals {
  /** False where a reviewer could write to its workspace. */
  readonly areOffered: boolean;
  create(request: CreateTerminalRequest, turn: AbortSignal | undefined): Promise<{ terminalId: string }>;
  output(id: string): TerminalOutputResponse;
  exit(id: string): Promise<TerminalExitStatus>;
  kill(id: string): Promise<void>;
  release(id: string): Promise<void>;
  close(): Promise<void>;
}

interface Terminal {
  child: RunningProcess;
  text: string;
  isShortened: boolean;
}

export function createTerminals(
  {
    folder,
    readOnly,
    isConfined,
    permit,
  }: Pick<SessionLaunch, 'folder' | 'readOnly' | 'isConfined' | 'permit'>,
  start: StartProcess,
): Terminals {
  const open = new Map<string, Terminal>();
  let isClosed = false;
  const areOffered = isConfined || !readOnly;
  const get = (id: string): Terminal => {
    const found = open.get(id);
    if (found) return found;
    throw new Error(`terminal '${id}' not found`);
  };
  const release = async (id: string): Promise<void> => {
    const { child } = get(id);
    open.delete(id);
    await child.stop();
  };

  return {
    areOffered,
    async create({ command, args = [], env = [], cwd, outputByteLimit }, turn) {
      if (!areOffered) throw new Error('this member may not run commands');
      if (open.size >= MOST_TERMINALS) throw new Error(`at most ${MOST_TERMINALS} terminals can be open`);
      const inside = await pathInside(folder, cwd ?? folder);
      const title = [command, ...args].join(' ');
      if (!isConfined) {
        const request = { title, kind: 'execute', paths: [inside] };
        const permission = await permit(request, turn ?? AbortSignal.abort());
        if (!permission.isAllowed) throw new Error(`'${title}' was not permitted: ${permission.reason}`);
      }
      const child = await start({
        command: 'sh',
        // Terminals show both outputs in one.
        args: ['-c', 'cd "$0" && exec "$@" 2>&1', inside, command, ...args],
        env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
        cwd: inside,
      });
      if (isClosed) {
        await child.stop();
        throw new Error('the session has ended');
      }
      const terminal: Terminal = { child, text: '', isShortened: false };
      const most = Math.min(outputByteLimit ?? MOST_OUTPUT, MOST_OUTPUT);
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        const all = terminal.text + part;
        terminal.isShortened ||= all.length > most;
        terminal.text = all.slice(-most);
      });
      const terminalId = randomUUID();
      open.set(terminalId, terminal);
      return { terminalId };
    },
    output(id) {
      const { child, text, isShortened } = get(id);
      const exit = child.exit();
      const exitStatus = exit && { exitCode: exit.code, signal: exit.signal };
      return { output: text, truncated: isShortened, exitStatus };
    },
    async exit(id) {
      const { code, signal } = await get(id).child.ended;
      return { exitCode: code, signal };
    },
    kill: async (id) => get(id).child.stop(),
    release,
    async close() {
      isClosed = true;
      await Promise.all([...open.keys()].map(release));
    },
  };
}
