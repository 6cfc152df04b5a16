import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homeFiles } from './paths.ts';
import { ensurePrivateFolder } from './private-folder.ts';

/** How to reach the hub that serves a home. */
export interface HubFile {
  pid: number;
  url: string;
  /** Where bridges connect. It may be in a temporary folder, which can differ between programs. */
  socket: string;
  version: string;
  startedAt: string;
  /** The secret with which the hub proves its identity. */
  secret: string;
}

export function writeHubFile(home: string, hub: HubFile): void {
  const file = homeFiles(home).hub;
  ensurePrivateFolder(home);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(hub)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Does not remove the file of a hub that has taken over since. */
export function removeHubFile(home: string, pid: number): void {
  if (readHubFile(home)?.pid === pid) rmSync(homeFiles(home).hub, { force: true });
}

/**
 * The hub that serves a home, judged by its file and process id. Ids are reused, so a client must still ask for its
 * proof. No network and no schema library: every command starts here.
 */
export function findHub(home: string): HubFile | null {
  const hub = readHubFile(home);
  return hub && isAlive(hub.pid) ? hub : null;
}

function readHubFile(home: string): HubFile | null {
  try {
    return parseHubFile(JSON.parse(readFileSync(homeFiles(home).hub, 'utf8')));
  } catch {
    // Missing or incomplete: no hub.
    return null;
  }
}

function parseHubFile(value: unknown): HubFile | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!('pid' in value && 'url' in value && 'socket' in value)) return null;
  if (!('version' in value && 'startedAt' in value && 'secret' in value)) return null;
  const { pid, url, socket, version, startedAt, secret } = value;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return null;
  if (typeof url !== 'string' || typeof socket !== 'string') return null;
  if (typeof version !== 'string' || typeof startedAt !== 'string') return null;
  if (typeof secret !== 'string' || secret === '') return null;
  return { pid, url, socket, version, startedAt, secret };
}

/** A process that we may not signal belongs to another user, so it is not the hub that wrote our file. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
