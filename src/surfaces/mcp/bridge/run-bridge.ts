import { type Environment, zooHome } from '../../../platform/home/paths.ts';
import { VERSION } from '../../../platform/home/version.ts';
import { terminalText } from '../../../platform/text/terminal-text.ts';
import { reachHub } from './reach.ts';
import { startRelay } from './relay.ts';

/** How long answers that are under way may take once the client has nothing more to ask. */
const GRACE_MS = 600;
const GRACE_STEP_MS = 20;
const PARENT_MS = 500;

export interface BridgeOptions {
  env: Environment;
  /** Where the client started us: its workspace is what the client sees. */
  folder: string;
  agent?: string | undefined;
}

/** The bridge on this process's own streams, until its client is gone; it then ends the process. */
export function runBridge({ env, folder, agent }: BridgeOptions): void {
  const { stdin, stdout, stderr } = process;
  const say = (text: string): void => void stderr.write(`${terminalText(text)}\n`);
  stderr.on('error', () => undefined);
  if (stdin.isTTY)
    say('This speaks MCP on its standard input: clients start it (`zoo connect`). Ctrl-D ends it.');

  const around = {
    home: zooHome(env),
    env,
    folder,
    agent,
    version: VERSION,
    program: process.argv[1] ?? '',
    say,
  };
  const relay = startRelay({
    input: stdin,
    output: stdout,
    reach: (isWanted) => reachHub(around, isWanted),
  });

  const leave = (): void => {
    relay.end();
    // Standard output that nobody reads would keep us for ever.
    setTimeout(() => process.exit(0), GRACE_STEP_MS * 5);
    stdout.write('', () => process.exit(0));
  };
  let ending = false;
  const onEnd = (): void => {
    if (ending) return;
    ending = true;
    const deadline = performance.now() + GRACE_MS;
    const look = (): void => {
      if (relay.busy() && performance.now() < deadline) setTimeout(look, GRACE_STEP_MS);
      else leave();
    };
    look();
  };
  stdin.on('end', onEnd).on('close', onEnd).on('error', onEnd);
  stdout.on('error', () => process.exit(0));

  // While nothing is read from it, standard input does not tell that the client has died; its parent's id does.
  const parent = process.ppid;
  let watch: NodeJS.Timeout | undefined;
  stdin.on('pause', () => {
    watch ??= setInterval(() => process.ppid === parent || process.exit(0), PARENT_MS);
  });
  stdin.on('resume', () => {
    clearInterval(watch);
    watch = undefined;
  });
}
