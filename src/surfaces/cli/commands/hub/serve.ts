import type { Hub } from '../../../../hub/hub.ts';
import { findHub, removeHubFile, writeHubFile } from '../../../../platform/home/hub-file.ts';
import type { LogFile } from '../../../../platform/home/log.ts';
import { homeFiles, zooHome } from '../../../../platform/home/paths.ts';
import { VERSION } from '../../../../platform/home/version.ts';
import { hasDisplay, openBrowser } from '../../output/browser.ts';
import { Failure } from '../../output/failure.ts';
import { say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderGreeting } from '../../render/greeting.ts';
import { chooseAddress, explainListenError, refuseOpenDoor } from '../../serving/serve-address.ts';
import type { HttpAddress } from '../../serving/serve-surfaces.ts';
import { requireWritableHome } from '../../hub-access/writable-home.ts';
import { untilIdle } from '../../serving/idle.ts';
import { reportState } from '../../serving/serve-report.ts';
import { stopSignals } from '../../serving/stop-signals.ts';

const anyPort: HttpAddress = { host: '127.0.0.1', port: 0 };

export interface ServeOptions {
  port?: number;
  host?: string;
  open: boolean;
  auth: boolean;
  trustAll?: true;
  /** Started by a bridge: yields to a running hub, takes any port, and exits when idle. */
  untilIdle?: true;
}

/** The hub of this home, until it is stopped. */
export async function serve(call: Invocation, options: ServeOptions): Promise<void> {
  const home = zooHome(call.env);
  requireWritableHome(home);
  const { acquireServeLock } = await import('../../../../platform/home/lock.ts');
  const lock = await acquireServeLock(home);
  if (!lock && options.untilIdle) return say(call, 'Another hub already serves this home.');
  if (!lock) throw alreadyRunning(home);
  const { createLog } = await import('../../../../platform/home/log.ts');
  const log = createLog({ file: homeFiles(home).log, level: call.env['ZOO_LOG'] });
  try {
    await serveHome(call, options, home, log);
  } catch (error) {
    log.error('the hub failed', { error });
    throw error;
  } finally {
    log.close();
    lock.release();
  }
}

async function serveHome(call: Invocation, options: ServeOptions, home: string, log: LogFile): Promise<void> {
  // Before anything slow, so that Ctrl-C also works during the start.
  const stop = stopSignals();
  const [{ createHub }, { ensureOperatorToken }] = await Promise.all([
    import('../../../../hub/create-hub.ts'),
    import('../../../../platform/home/access.ts'),
  ]);
  const { warning } = ensureOperatorToken(home);
  if (warning !== null) say(call, `warning: ${warning}`);
  const { env, folder, config } = call;
  const trustAll = options.trustAll ?? false;
  const hub = await createHub({
    home,
    env,
    folder,
    config,
    trustAll,
    serving: true,
    threads: true,
    watch: true,
    log,
  });
  try {
    const server = await startServer(call, options, hub, log);
    const startedAt = new Date().toISOString();
    const { socket: path } = homeFiles(home);
    const settings = { home, path, untilIdle: options.untilIdle ?? false, log, version: VERSION };
    const bridges = await call.surfaces.startSocket(hub, settings).catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
    try {
      const { url } = server;
      const secret = hub.announce(url);
      writeHubFile(home, { pid: process.pid, url, socket: path, version: VERSION, startedAt, secret });
      log.info('serving', {
        url: server.url,
        pid: process.pid,
        version: VERSION,
        folder,
        auth: options.auth,
      });
      const ends = [stop.requested, hub.stopRequested];
      if (options.untilIdle) ends.push(untilIdle([server.use, bridges.use, hub.use], env, stop.signal));
      else {
        await greet(call, options, hub, server.url);
        await reportState(call, hub, stop.signal);
      }
      await Promise.race(ends);
      say(call, 'Stopping…');
      log.info('stopping');
    } finally {
      removeHubFile(home, process.pid);
      await Promise.all([bridges.close(), server.close()]);
    }
  } finally {
    await hub.close();
    stop.dispose();
  }
  say(call, 'Stopped.');
}

async function startServer(call: Invocation, options: ServeOptions, hub: Hub, log: LogFile) {
  const { bind, allowedHosts } = hub.serverSettings();
  const address: HttpAddress = chooseAddress(
    {
      ...(options.host === undefined ? {} : { host: options.host }),
      ...(options.port === undefined ? {} : { port: options.port }),
    },
    bind,
  );
  refuseOpenDoor(address, options.auth);
  const settings = {
    ...address,
    auth: options.auth,
    allowedHosts: [...allowedHosts, address.host],
    log,
    version: VERSION,
  };
  try {
    return await call.surfaces.startHttp(hub, settings);
  } catch (error) {
    // Bridges use the socket, so a taken port must not leave them without a hub.
    if (options.untilIdle) return call.surfaces.startHttp(hub, { ...settings, ...anyPort });
    throw explainListenError(error, address);
  }
}

async function greet(call: Invocation, options: ServeOptions, hub: Hub, url: string): Promise<void> {
  const context = hub.localContext(await hub.workspaceFor(undefined));
  const { path } = await hub.operations.createLogin({}, context);
  const { agents } = await hub.operations.listAgents({ limit: 1 }, context);
  const link = options.auth ? url + path : url;
  call.terminal.out.write(
    renderGreeting(
      { url, link, auth: options.auth, example: agents[0]?.id, command: commandName(call), version: VERSION },
      call,
    ),
  );
  const wanted = options.open && call.terminal.out.isTTY && hasDisplay(call.env);
  if (wanted && !(await openBrowser(link))) say(call, 'Could not open the browser; use the link above.');
}

/** The name of the command: a fresh clone has no `zoo` on the PATH yet. */
function commandName({ env }: Invocation): string {
  return env['npm_lifecycle_event'] === 'start' ? 'node dist/zoo.js' : 'zoo';
}

function alreadyRunning(home: string): Failure {
  const hub = findHub(home);
  const where = hub ? ` at ${hub.url} (pid ${hub.pid})` : '';
  return new Failure(`the hub of ${home} is already running${where}`, {
    code: 'already_running',
    hints: ['`zoo open` opens its page, `zoo stop` stops it', 'set ZOO_HOME to run a second hub'],
  });
}
