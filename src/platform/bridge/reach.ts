import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { isPrivateSocket } from '../home/hub-socket.ts';
import { findHub } from '../home/hub-file.ts';
import { type Environment, homeFiles } from '../home/paths.ts';
import type { BridgeProtocol, Hello } from './hello.ts';
import { claimStart } from './claim.ts';
import { dial } from './dial.ts';
import { isOlder } from './is-older.ts';
import { type StartedHub, startHub } from './start-hub.ts';
import { messageOf } from '../text/error-message.ts';

const PATIENCE_MS = 15_000;
const SLOW_MS = 2500;
const FIRST_PAUSE_MS = 15;
const LONGEST_PAUSE_MS = 150;
/** Pause between attempts while the hub is stopped on purpose. */
const WATCHING_PAUSE_MS = 500;
const RESTART_PAUSE_MS = 300;
const MAX_FAILURES = 2;

export interface Surroundings {
  home: string;
  env: Environment;
  folder: string;
  agent: string | undefined;
  protocol: BridgeProtocol;
  version: string;
  /** What to start a hub with. */
  program: string;
  say(text: string): void;
}

/** No hub is available, for a reason that the client should see. */
class HubUnavailable extends Error {}

/**
 * A connection to the hub of the home, after the handshake. Starts a hub if none is running, unless the last one was
 * stopped on purpose: then it waits for another process to start one.
 */
export async function reachHub(around: Surroundings, isWanted: () => boolean): Promise<Socket> {
  const attempt = createAttempt(around);
  let pause = FIRST_PAUSE_MS;
  let wantedAt: number | null = null;
  let told = false;
  try {
    for (;;) {
      const socket = await attempt.connect();
      if (socket) return socket;
      if (!isWanted()) {
        wantedAt = null;
        await sleep(WATCHING_PAUSE_MS);
        continue;
      }
      wantedAt ??= performance.now();
      attempt.startHub();
      const waited = performance.now() - wantedAt;
      if (waited > PATIENCE_MS) throw new HubUnavailable(attempt.complaint());
      if (waited > SLOW_MS && !told) {
        told = true;
        around.say('Waiting for the Agent Zoo hub to start…');
      }
      await sleep(pause);
      pause = Math.min(LONGEST_PAUSE_MS, pause * 1.3);
    }
  } finally {
    attempt.release();
  }
}

function createAttempt(around: Surroundings) {
  const { home, env, say } = around;
  const files = homeFiles(home);
  // Handed to team members, whose sandbox hides the home. The hub runs as long as they do.
  const given = env['ZOO_SOCKET'];
  let claim: (() => void) | null = null;
  let started: StartedHub | null = null;
  let failures = 0;
  let nextStartAt = 0;

  const readToken = (): string | null => {
    if (env['ZOO_TOKEN']) return env['ZOO_TOKEN'];
    try {
      return readFileSync(files.operatorToken, 'utf8').trim();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw new HubUnavailable(`Cannot read the token of the Agent Zoo hub: ${messageOf(error)}.`);
    }
  };

  const helloWith = (token: string): Hello => ({
    token,
    workspace: around.folder,
    version: around.version,
    pid: process.pid,
    protocol: around.protocol,
    ...(around.agent === undefined ? {} : { agent: around.agent }),
  });

  return {
    /** Null if no hub is running yet. */
    async connect(): Promise<Socket | null> {
      const token = readToken();
      const path = given ?? findHub(home)?.socket ?? files.socket;
      if (token === null || (given === undefined && !isPrivateSocket(home, path))) return null;
      const dialled = await dial(path, helloWith(token));
      if (!dialled) return null;
      if ('refused' in dialled) {
        const { code, message } = dialled.refused;
        // The token file may have been replaced after it was read.
        if (code === 'unauthorized' && readToken() !== token) return this.connect();
        throw new HubUnavailable(`The Agent Zoo hub refused the connection: ${message}`);
      }
      const { socket, welcome } = dialled;
      if (given !== undefined || !isOlder(welcome.version, around.version)) return socket;
      if (!welcome.untilIdle) {
        say(
          `The running Agent Zoo hub is version ${welcome.version}, this is ${around.version}: restart it (\`zoo stop\`, then \`zoo serve\`).`,
        );
        return socket;
      }
      // Claim first, so that bridges that lose the old hub wait for the new one.
      claim ??= claimStart(files.starting);
      if (!claim) return socket;
      socket.destroy();
      const asked = await dial(path, { ...helloWith(token), stop: true });
      if (asked && 'socket' in asked) asked.socket.destroy();
      return null;
    },

    startHub(): void {
      if (given !== undefined) throw new HubUnavailable(`No Agent Zoo hub listens at ${given}.`);
      try {
        claim ??= claimStart(files.starting);
        if (!claim || performance.now() < nextStartAt) return;
        if (started) {
          const outcome = started.outcome();
          if (outcome === 'running') return;
          if (outcome === 'failed') failures += 1;
          if (failures >= MAX_FAILURES) throw new HubUnavailable(this.complaint());
        }
        started = startHub(home, env, around.program);
        nextStartAt = performance.now() + RESTART_PAUSE_MS;
      } catch (error) {
        if (error instanceof HubUnavailable) throw error;
        throw new HubUnavailable(`Cannot start the Agent Zoo hub: ${messageOf(error)}.`);
      }
    },

    complaint(): string {
      const said = started?.complaint() ?? '';
      return said === ''
        ? `The Agent Zoo hub of ${home} did not start in time; see \`zoo logs\`.`
        : `The Agent Zoo hub did not start: ${said.replaceAll(/\s*\n\s*/g, '; ')}.`;
    },

    release(): void {
      claim?.();
    },
  };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
