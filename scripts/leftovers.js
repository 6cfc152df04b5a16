import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {{ pid: number, command: string }} Process */

/** esbuild keeps a helper that exits together with the process that started it. */
const HELPER = /\/esbuild --service=/;

/**
 * The processes that belong to a temp folder: its path is in their environment, arguments or working folder.
 * Test processes inherit it as `TMPDIR`, however many parents of theirs have exited.
 * @param {string} folder
 * @returns {Process[]}
 */
export function processesOf(folder) {
  if (process.platform === 'win32') return [];
  const all = process.platform === 'linux' ? readProc() : readPs();
  return all.filter(
    ({ pid, command, text }) => pid !== process.pid && text.includes(folder) && !HELPER.test(command),
  );
}

/**
 * Waits for the processes of a folder to exit, then kills those that have not.
 * @param {string} folder
 * @param {number} patienceMs
 * @returns {Promise<Process[]>} the ones that were killed
 */
export async function endProcessesOf(folder, patienceMs) {
  const deadline = performance.now() + patienceMs;
  let left = processesOf(folder);
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(50);
    left = processesOf(folder);
  }
  for (const { pid } of left) kill(pid);
  return left;
}

function readProc() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [args, environ] = ['cmdline', 'environ'].map((file) =>
          readFileSync(`/proc/${name}/${file}`, 'utf8'),
        );
        const command = (args ?? '').replaceAll('\0', ' ').trim();
        return [
          { pid: Number(name), command, text: `${args}\0${environ}\0${readlinkSync(`/proc/${name}/cwd`)}` },
        ];
      } catch {
        // Exited meanwhile, or owned by another user.
        return [];
      }
    });
}

/** BSD and macOS: `-E` appends the environment to the command. */
function readPs() {
  const lines = execFileSync('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' }).split(
    '\n',
  );
  return lines.flatMap((line) => {
    const [, pid, text = ''] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), command: text.slice(0, 200), text }];
  });
}

/** @param {number} pid */
function kill(pid) {
  // The group as well, if it leads one.
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // Already gone, or not a group.
    }
  }
}
