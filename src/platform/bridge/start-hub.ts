import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Environment, homeFiles, userConfigFolder } from '../home/paths.ts';
import { makeFolder } from '../files/make-folder.ts';

export interface StartedHub {
  /** `yielded`: another hub was serving this home, even if it has stopped since. */
  outcome(): 'running' | 'yielded' | 'failed';
  /** Its output before it exited. */
  complaint(): string;
}

/**
 * Starts a hub that outlives this bridge and exits when it has been idle for a while. It belongs to no project, so it
 * starts in the user's own config directory and uses the config there.
 */
export function startHub(home: string, env: Environment, program: string): StartedHub {
  const { startLog } = homeFiles(home);
  const config = userConfigFolder(env);
  makeFolder(dirname(startLog), 0o700);
  rmSync(startLog, { force: true });
  const log = openSync(startLog, 'a', 0o600);
  // Loaded on demand: most bridges find a running hub.
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
