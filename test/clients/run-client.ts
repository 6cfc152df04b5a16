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

export interface RunningClient extends AsyncDisposable {
  /** What it has said up to now; its code when it has ended. */
  outcome: ClientOutcome;
  ended: Promise<void>;
}

interface Place {
  home: string;
  folder: string;
}

/**
 * Starts an installed client in an environment and a HOME of its own, with nobody at its terminal, in a process
 * group that is ended with it, or after a minute.
 */
export async function startClient(
  name: string,
  { args, env }: Pick<Launch, 'args' | 'env'>,
  { home, folder }: Place,
): Promise<RunningClient> {
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
    outcome.err += '\n(ended after a minute)';
    endGroup();
  }, 60_000);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      outcome.code = code;
      resolve();
    });
  }).finally(() => {
    clearTimeout(deadline);
    endGroup();
  });
  return {
    outcome,
    ended,
    async [Symbol.asyncDispose]() {
      endGroup();
      await ended;
    },
  };
}

/** Runs it to its end. */
export async function runClient(name: string, launch: Launch, place: Place): Promise<ClientOutcome> {
  await using client = await startClient(name, launch, place);
  await client.ended;
  return client.outcome;
}

/** @param files by their paths under the folder */
export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
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
