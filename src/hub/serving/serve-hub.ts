import type { AgentModule } from '../../contract/package/agent-module.ts';
import { ensureOperatorToken, type OperatorToken } from '../../platform/home/access.ts';
import { removeHubFile, writeHubFile } from '../../platform/home/hub-file.ts';
import { acquireServeLock } from '../../platform/home/lock.ts';
import { createLog, type LogFile } from '../../platform/home/log.ts';
import { homeFiles } from '../../platform/home/paths.ts';
import { VERSION } from '../../platform/home/version.ts';
import { createResources, type Resources } from '../../platform/processes/resources.ts';
import { asError } from '../../platform/text/error-message.ts';
import { createHub, type HubOptions } from '../create-hub.ts';
import type { Hub, ServerSettings } from '../hub.ts';
import type { Use } from '../wing.ts';
import type { HttpAddress, ServedSurfaces } from './served-surfaces.ts';

export interface ServeHubOptions extends Pick<HubOptions, 'home' | 'env' | 'folder' | 'config' | 'trustAll'> {
  surfaces: ServedSurfaces;
  /** Where to listen. Throws to refuse; may name a fallback address in case the first is taken. */
  address(settings: ServerSettings): { first: HttpAddress; second?: HttpAddress };
  auth: boolean;
  /** Whether a bridge started this hub: it then exits when idle, and a newer version may replace it. */
  untilIdle: boolean;
  logLevel?: string | undefined;
  /** Agents of the embedding program. */
  agents?: readonly AgentModule[];
}

export interface ServedHub {
  hub: Hub;
  url: string;
  operator: OperatorToken;
  log: LogFile;
  /** Work that is open in the hub and its surfaces. */
  uses: readonly (() => Use)[];
  /** Closes everything in reverse order, each part even if another fails. Releases the home last. */
  close(): Promise<void>;
}

/**
 * Serves a home: takes its lock, opens the hub, listens and publishes the address. Null if another process serves
 * it.
 */
export async function serveHub(options: ServeHubOptions): Promise<ServedHub | null> {
  const lock = await acquireServeLock(options.home);
  if (!lock) return null;
  const opened = createResources();
  opened.defer(() => lock.release());
  try {
    return await open(options, opened);
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
}

async function open(options: ServeHubOptions, opened: Resources): Promise<ServedHub> {
  const { home, env, folder, config, trustAll, surfaces, auth, untilIdle } = options;
  const log = opened.add(createLog({ file: homeFiles(home).log, level: options.logLevel }), (each) =>
    each.close(),
  );
  try {
    const operator = ensureOperatorToken(home);
    const rest = { serving: true, threads: true, watch: true, log };
    const hub = opened.add(await createHub({ home, env, folder, config, trustAll, ...rest }), (each) =>
      each.close(),
    );
    for (const agent of options.agents ?? []) await hub.register(agent);
    const server = await listen(hub, options, log);
    const listening: Pick<Listening, 'close'>[] = [server];
    // Together: closing the server waits for streams that end with the bridges.
    opened.defer(() => {
      hub.drain();
      return closeTogether(listening);
    });
    const { socket: path } = homeFiles(home);
    const settings = { home, path, untilIdle, log, version: VERSION };
    const bridges = await surfaces.startSocket(hub, settings);
    listening.push(bridges);

    const { url } = server;
    const file = {
      pid: process.pid,
      url,
      socket: path,
      version: VERSION,
      startedAt: new Date().toISOString(),
    };
    writeHubFile(home, { ...file, secret: hub.announce(url) });
    opened.defer(() => removeHubFile(home, process.pid));
    log.info('serving', { url, pid: process.pid, version: VERSION, folder, auth });
    return { hub, url, operator, log, uses: [server.use, bridges.use, hub.use], close: opened.close };
  } catch (error) {
    log.error('the hub failed to start', { error });
    throw error;
  }
}

type Listening = Awaited<ReturnType<ServedSurfaces['startHttp']>>;

async function listen(hub: Hub, options: ServeHubOptions, log: LogFile): Promise<Listening> {
  const { auth, surfaces } = options;
  const settings = hub.serverSettings();
  const { first, second } = options.address(settings);
  const start = (address: HttpAddress) =>
    surfaces.startHttp(hub, {
      ...address,
      auth,
      allowedHosts: [...settings.allowedHosts, address.host],
      log,
      version: VERSION,
    });
  try {
    return await start(first);
  } catch (error) {
    if (second) return start(second);
    throw error;
  }
}

async function closeTogether(parts: readonly Pick<Listening, 'close'>[]): Promise<void> {
  const ended = await Promise.allSettled(parts.map((part) => part.close()));
  const failed = ended.find((each) => each.status === 'rejected');
  if (failed) throw asError(failed.reason);
}
