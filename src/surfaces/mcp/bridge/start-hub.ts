import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Environment, homeFiles, userConfigFolder } from '../../../platform/home/paths.ts';

export interface StartedHub {
  /** `yielded`: another hub has been serving this home, if only until it has ended. */
  outcome(): 'running' | 'yielded' | 'failed';
  /** What it said before it ended. */
  complaint(): string;
}

/**
 * A hub of its own life: it outlives this bridge, and ends when nobody has used it for a while. It belongs to no
 * project, so it starts in the user's own config directory, and what is there counts for it.
 */
export function startHub(home: string, env: Environment, program: string): StartedHub {
  const { startLog } = homeFiles(home);
  const config = userConfigFolder(env);
  mkdirSync(dirname(startLog), { recursive: true, mode: 0o700 });
  rmSync(startLog, { force: true });
  const log = openSync(startLog, 'a', 0o600);
  // Most bridges find a hub and start none.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(
    process.execPath,
    [program, 'serve', '--until-idle', '--no-open', '--workspace', existsSync(config) ? config : home],
    { cwd: home, env: { ...env }, detached: true, windowsHide: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  let outcome: 'running' | 'yielded' | 'failed' = 'running';
  child.once('exit', (code) => (outcome = code === 0 ? 'yielded' : 'failed'));
  child.once('error', () => (outcome = 'failed'));
  child.unref();
  return {
    outcome: () => outcome,
    complaint: () => (existsSync(startLog) ? readFileSync(startLog, 'utf8').trim() : ''),
  };
}
