import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homeFiles } from './paths.ts';

/** How to reach the hub that serves a home. */
export interface HubFile {
  pid: number;
  url: string;
  /** Where bridges connect: it may lie in a temporary folder, which need not be the same for every program. */
  socket: string;
  version: string;
  startedAt: string;
}

export function writeHubFile(home: string, hub: HubFile): void {
  const file = homeFiles(home).hub;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(hub)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Leaves the file of a hub that has taken over since. */
export function removeHubFile(home: string, pid: number): void {
  if (readHubFile(home)?.pid === pid) rmSync(homeFiles(home).hub, { force: true });
}

/**
 * The hub that serves a home, as far as its file and process tell: a process that took over a dead hub's id
 * looks alive, so a refused connection means that there is none. No network and no schema library, since every
 * command starts here.
 */
export function findHub(home: string): HubFile | null {
  const hub = readHubFile(home);
  return hub && isAlive(hub.pid) ? hub : null;
}

function readHubFile(home: string): HubFile | null {
  try {
    return parseHubFile(JSON.parse(readFileSync(homeFiles(home).hub, 'utf8')));
  } catch {
    // Absent or half of something: either way it names no hub.
    return null;
  }
}

function parseHubFile(value: unknown): HubFile | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!('pid' in value && 'url' in value && 'socket' in value)) return null;
  if (!('version' in value && 'startedAt' in value)) return null;
  const { pid, url, socket, version, startedAt } = value;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return null;
  if (typeof url !== 'string' || typeof socket !== 'string') return null;
  if (typeof version !== 'string' || typeof startedAt !== 'string') return null;
  return { pid, url, socket, version, startedAt };
}

/** A process that we may not signal is another user's, so not the hub that wrote a file of ours. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
