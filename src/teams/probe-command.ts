import { homedir } from 'node:os';
import { findProgram } from '../platform/processes/find-program.ts';
import { access } from 'node:fs/promises';
import type { HarnessHost, HarnessStatus } from './harness.ts';

const VERSION_MS = 5_000;

/** Whether a program is installed, and its version if it tells. */
export async function probeCommand(program: string, { env, start }: HarnessHost): Promise<HarnessStatus> {
  const file = await findProgram(program, env, homedir());
  const exists =
    file !== null &&
    (await access(file).then(
      () => true,
      () => false,
    ));
  if (!exists) return { installed: false, version: null, missing: `${program} is not on the PATH` };
  const child = await start({ command: file, args: ['--version'], env: {}, cwd: homedir() }).catch(
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
