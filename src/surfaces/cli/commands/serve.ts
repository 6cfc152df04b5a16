import type { Hub } from '../../../hub/hub.ts';
import { findHub, removeHubFile, writeHubFile } from '../../../platform/hub-file.ts';
import type { LogFile } from '../../../platform/log.ts';
import { homeFiles, zooHome } from '../../../platform/paths.ts';
import { VERSION } from '../../../platform/version.ts';
import { hasDisplay, openBrowser } from '../browser.ts';
import { Failure } from '../failure.ts';
import { say } from '../invocation.ts';
import type { Invocation } from '../invocation.ts';
import { renderGreeting } from '../render/greeting.ts';
import { chooseAddress, explainListenError, refuseOpenDoor } from '../serve-address.ts';
import type { HttpAddress } from '../serve-http.ts';
import { reportState } from '../serve-report.ts';
import { stopSignals } from '../stop-signals.ts';

export interface ServeOptions {
  port?: number;
  host?: string;
  open: boolean;
  auth: boolean;
  trustAll?: true;
}

/** The hub of this home, in the foreground, until it is told to stop. */
export async function serve(call: Invocation, options: ServeOptions): Promise<void> {
  const home = zooHome(call.env);
  const { acquireServeLock } = await import('../../../platform/lock.ts');
  const lock = await acquireServeLock(home);
  if (!lock) throw alreadyRunning(home);
  const { createLog } = await import('../../../platform/log.ts');
  const log = createLog({ file: homeFiles(home).log, level: call.env['ZOO_LOG'] });
  try {
    await serveHome(call, options, home, log);
  } catch (error) {
    log.error('the hub ended with an error', { error });
    throw error;
  } finally {
    log.close();
    lock.release();
  }
}

async function serveHome(call: Invocation, options: ServeOptions, home: string, log: LogFile): Promise<void> {
  // Before anything takes time: Ctrl-C during the start is a stop, too.
  const stop = stopSignals();
  const [{ createHub }, { ensureOperatorToken }] = await Promise.all([
    import('../../../hub/create-hub.ts'),
    import('../../../platform/access.ts'),
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
    try {
      hub.announce(server.url);
      writeHubFile(home, { pid: process.pid, url: server.url, version: VERSION, startedAt });
      log.info('serving', {
        url: server.url,
        pid: process.pid,
        version: VERSION,
        folder,
        auth: options.auth,
      });
      await greet(call, options, hub, server.url);
      await reportState(call, hub, stop.signal);
      await Promise.race([stop.requested, hub.stopRequested]);
      say(call, 'Stopping…');
      log.info('stopping');
    } finally {
      removeHubFile(home, process.pid);
      await server.close();
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
    return await call.startHttp(hub, settings);
  } catch (error) {
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
      call.paint,
    ),
  );
  const wanted = options.open && call.terminal.out.isTTY && hasDisplay(call.env);
  if (wanted && !(await openBrowser(link))) say(call, 'The browser could not be opened; use the link above.');
}

/** What to type for `zoo` here: a fresh clone has no such command yet. */
function commandName({ env }: Invocation): string {
  return env['npm_lifecycle_event'] === 'start' ? 'node dist/zoo.js' : 'zoo';
}

function alreadyRunning(home: string): Failure {
  const hub = findHub(home);
  const where = hub ? ` at ${hub.url} (pid ${hub.pid})` : '';
  return new Failure(`the hub of ${home} is already running${where}`, {
    code: 'already_running',
    hints: ['`zoo open` opens its page, `zoo stop` stops it', 'another ZOO_HOME is another hub'],
  });
}
