import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Environment } from '../platform/home/paths.ts';
import { findProgram } from '../platform/processes/find-program.ts';
import type { HarnessHost, HarnessStatus } from './harness.ts';

const VERSION_MS = 15_000;

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

/** Whether a program is installed, and its version if it tells. */
export async function probeCommand(program: string, { env, start }: HarnessHost): Promise<HarnessStatus> {
  const missing = await missingCommand(program, env, homedir());
  if (missing !== null) return { installed: false, version: null, missing };
  const child = await start({ command: program, args: ['--version'], env: {}, cwd: homedir() }).catch(
    () => null,
  );
  if (!child) return { installed: false, version: null, missing: `${program} cannot be started` };
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text = (text + part).slice(0, 1000);
  });
  const timer = setTimeout(() => void child.stop(), VERSION_MS);
  await child.ended;
  clearTimeout(timer);
  return { installed: true, version: /\d+\.\d+[\w.-]*/.exec(text)?.[0] ?? null, missing: null };
}
