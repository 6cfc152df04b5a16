import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/zoo.js', import.meta.url));

/** Whether this machine has the `script` of util-linux, which runs a command at a terminal of its own. */
export const hasTerminal =
  process.platform === 'linux' && spawnSync('script', ['--version'], { stdio: 'ignore' }).status === 0;

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  columns?: number;
  /** What is typed, or done elsewhere, and the text on the screen that it waits for. */
  type?: readonly (readonly [shown: string, keys: string | (() => Promise<unknown>)])[];
  timeoutMs?: number;
}

/** Runs the built program at a terminal; answers everything that it printed, and its exit code. */
export async function atTerminal(
  args: readonly string[],
  { cwd, env, columns = 80, type = [], timeoutMs = 90_000 }: TerminalOptions,
): Promise<{ screen: string; code: number | null }> {
  const words = [process.execPath, program, ...args].map(
    (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  // As a prompt sets it: keys that are typed before the prompt reads would be echoed, and Enter would become a newline.
  const command = `stty cols ${columns} rows 40 -icrnl -echo; exec ${words.join(' ')}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...env, CI: undefined, TERM: 'xterm-256color', SHELL: '/bin/sh' },
  });
  let screen = '';
  let seen = 0;
  const steps = [...type];
  const look = (): void => {
    const [shown, keys] = steps[0] ?? [];
    if (shown === undefined || keys === undefined) return;
    const at = screen.indexOf(shown, seen);
    if (at === -1) return;
    seen = at + shown.length;
    steps.shift();
    // A prompt reads keys only once it has drawn itself.
    setTimeout(() => {
      if (typeof keys === 'string') child.stdin.write(keys);
      else void keys();
      look();
    }, 100);
  };
  const onData = (text: string): void => {
    screen += text;
    look();
  };
  child.stdout.setEncoding('utf8').on('data', onData);
  child.stderr.setEncoding('utf8').on('data', onData);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  if (code === null) throw new Error(`Timed out at the terminal, which shows:\n${screen}`);
  return { screen: screen.replaceAll('\r\n', '\n'), code };
}

/** The text without colours, as it stands on the screen. */
export function plainScreen(screen: string): string {
  // oxlint-disable-next-line no-control-regex -- the sequences of terminals begin with one
  return screen.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '');
}
