import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientCommand, clients, clientsFolder } from '../../scripts/clients.js';
import type { Launch } from './driver.ts';

export interface ClientOutcome {
  code: number | null;
  out: string;
  err: string;
}

/**
 * Runs an installed client to its end: in an environment and a HOME of its own, with nobody at its terminal, and
 * with everything that it has started ended after it.
 */
export async function runClient(
  name: string,
  { args, env, files }: Launch,
  { home, folder, seconds = 60 }: { home: string; folder: string; seconds?: number },
): Promise<ClientOutcome> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  const client = clients.find((each) => each.name === name);
  if (!client) throw new Error(`scripts/clients.js knows no ${name}`);
  const [program = '', ...first] = clientCommand(await clientsFolder(), client);
  const child = spawn(program, [...first, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const outcome: ClientOutcome = { code: null, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (outcome.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (outcome.err += text));
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The whole group has gone by itself, as it should.
    }
  };
  const deadline = setTimeout(() => {
    outcome.err += `\n(ended after ${seconds} s)`;
    endGroup();
  }, seconds * 1000);
  try {
    outcome.code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
  } finally {
    clearTimeout(deadline);
    endGroup();
  }
  return outcome;
}

/**
 * Processes that still have this folder in their environment or command, after a moment to end in; as
 * `pid command`. Only Linux tells; elsewhere there are none.
 */
export async function findLeftBehind(folder: string, expected: readonly number[]): Promise<string[]> {
  for (let tries = 0; ; tries += 1) {
    const found = processesOf(folder).filter(({ pid }) => !expected.includes(pid));
    if (found.length === 0 || tries === 50) return found.map(({ pid, command }) => `${pid} ${command}`);
    await sleep(100);
  }
}

function processesOf(folder: string): { pid: number; command: string }[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .flatMap((pid) => {
      const command = readProcess(pid, 'cmdline');
      const related = `${command}${readProcess(pid, 'environ')}`.includes(folder);
      return related ? [{ pid, command: command.replaceAll('\0', ' ') }] : [];
    });
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
