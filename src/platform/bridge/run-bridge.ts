import { type Environment, zooHome } from '../home/paths.ts';
import { VERSION } from '../home/version.ts';
import { terminalText } from '../text/terminal-text.ts';
import type { BridgeProtocol } from './hello.ts';
import type { Ledger } from './ledger.ts';
import { reachHub } from './reach.ts';
import { startRelay } from './relay.ts';

/** How long pending answers may take after the client has closed its input. */
const GRACE_MS = 10_000;
const GRACE_STEP_MS = 20;
const PARENT_MS = 500;

export interface BridgeOptions extends BridgeTarget {
  protocol: BridgeProtocol;
  ledger: Ledger;
}

export interface BridgeTarget {
  env: Environment;
  /** The folder the client started the bridge in; decides its workspace. */
  folder: string;
  agent?: string | undefined;
}

/** Runs the bridge on the streams of this process, and exits when the client is gone. */
export function runBridge({ env, folder, agent, protocol, ledger }: BridgeOptions): void {
  const { stdin, stdout, stderr } = process;
  const say = (text: string): void => void stderr.write(`${terminalText(text)}\n`);
  stderr.on('error', () => undefined);
  if (stdin.isTTY)
    say(
      `This speaks ${protocol.toUpperCase()} on standard input and is meant to be started by a client (\`zoo connect\`). Ctrl-D exits.`,
    );

  const around = {
    home: zooHome(env),
    env,
    folder,
    agent,
    protocol,
    version: VERSION,
    program: process.argv[1] ?? '',
    say,
  };
  const relay = startRelay({
    input: stdin,
    output: stdout,
    ledger,
    reach: (isWanted) => reachHub(around, isWanted),
  });

  const leave = (): void => {
    relay.end();
    // Standard output that is never read would keep the process alive.
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

  // While standard input is paused, only the parent's process id shows that the client has died.
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

/** A deleted folder has no path; the hub then reports that it is missing. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}
