import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
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

/** Whether a program is installed, and its version if it reports one. */
export async function probeCommand(program: string, host: HarnessHost): Promise<HarnessStatus> {
  const missing = await missingCommand(program, host.env, homedir());
  if (missing !== null) return { installed: false, version: null, missing };
  const text = await outputOf(program, ['--version'], host);
  if (text === null) return { installed: false, version: null, missing: `${program} cannot be started` };
  return { installed: true, version: /\d+\.\d+[\w.-]*/.exec(text)?.[0] ?? null, missing: null };
}
