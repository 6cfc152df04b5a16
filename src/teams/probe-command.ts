import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import type { Environment } from '../platform/home/paths.ts';
import { findProgram } from '../platform/processes/find-program.ts';
import type { HarnessHost, HarnessStatus } from './harness.ts';

const PROBE_MS = 15_000;
const MOST_OUTPUT = 100_000;

/** Why a program cannot be started in the folder; null if it is installed. */
export async function missingCommand(
  program: string,
  env: Environment,
  folder: string,
): Promise<string | null> {
  const file = await findProgram(program, env, folder);
  if (file === null) return `${program} is not on the PATH`;
  return access(file).then(
    () => null,
    () => `${file} does not exist`,
  );
}

/** The output of a program; null if it cannot be started. It is stopped after the timeout. */
export async function outputOf(
  program: string,
  args: readonly string[],
  { start }: Pick<HarnessHost, 'start'>,
  timeoutMs = PROBE_MS,
): Promise<string | null> {
  const child = await start({ command: program, args, env: {}, cwd: homedir() }).catch(() => null);
  if (!child) return null;
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(0, MOST_OUTPUT);
  });
  const timer = setTimeout(() => void child.stop(), timeoutMs);
  await child.ended;
  clearTimeout(timer);
  return text;
}

/** Programs whose arguments name the one that they run: their own version says nothing about it. */
const LAUNCHER =
  /^(?:node|nodejs|npx|npm|pnpm|yarn|bun|bunx|deno|tsx|python[\d.]*|uv|uvx|pipx|ruby|java|dotnet|sh|bash|zsh|env|docker|podman)(?:\.\w+)?$/;

/** Whether a command is installed, and the version of its program if it reports one. */
export async function probeCommand(
  [program = '', ...args]: readonly string[],
  host: HarnessHost,
): Promise<HarnessStatus> {
  const missing = await missingCommand(program, host.env, homedir());
  if (missing !== null) return { installed: false, version: null, missing };
  if (args.length > 0 && LAUNCHER.test(basename(program))) {
    return { installed: true, version: null, missing: null };
  }
  const text = await outputOf(program, ['--version'], host);
  if (text === null) return { installed: false, version: null, missing: `${program} cannot be started` };
  return { installed: true, version: /\d+\.\d+[\w.-]*/.exec(text)?.[0] ?? null, missing: null };
}
