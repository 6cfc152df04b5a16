import type { Hub, ServerSettings } from '../../../../hub/hub.ts';
import type { ServedHub } from '../../../../hub/serving/serve-hub.ts';
import type { HttpAddress } from '../../../../hub/serving/served-surfaces.ts';
import { findHub } from '../../../../platform/home/hub-file.ts';
import { zooHome } from '../../../../platform/home/paths.ts';
import { VERSION } from '../../../../platform/home/version.ts';
import { hasDisplay, openBrowser } from '../../output/browser.ts';
import { Failure } from '../../output/failure.ts';
import { say, warn } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { renderGreeting } from '../../render/greeting.ts';
import { chooseAddress, explainListenError, refuseOpenDoor } from '../../serving/serve-address.ts';
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
  // Before anything slow, so that Ctrl-C also works during the start.
  const stop = stopSignals();
  try {
    const served = await startServing(call, options, home);
    if (!served && options.untilIdle) return say(call, 'Another hub already serves this home.');
    if (!served) throw alreadyRunning(home);
    try {
      await untilStopped(call, options, served, stop);
      say(call, 'Stopping…');
      served.log.info('stopping');
    } catch (error) {
      served.log.error('the hub failed', { error });
      throw error;
    } finally {
      await served.close();
    }
    say(call, 'Stopped.');
  } finally {
    stop.dispose();
  }
}

async function startServing(
  call: Invocation,
  options: ServeOptions,
  home: string,
): Promise<ServedHub | null> {
  const { serveHub } = await import('../../../../hub/serving/serve-hub.ts');
  const { env, folder, config, surfaces } = call;
  let first: HttpAddress | undefined;
  const address = ({ bind }: ServerSettings) => {
    const { host, port } = options;
    first = chooseAddress(
      { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) },
      bind,
    );
    refuseOpenDoor(first, options.auth);
    // Bridges use the socket, so a taken port must not leave them without a hub.
    return options.untilIdle ? { first, second: anyPort } : { first };
  };
  try {
    return await serveHub({
      home,
      env,
      folder,
      config,
      surfaces,
      address,
      trustAll: options.trustAll ?? false,
      auth: options.auth,
      untilIdle: options.untilIdle ?? false,
      logLevel: env['ZOO_LOG'],
    });
  } catch (error) {
    throw first && isListenError(error) ? explainListenError(error, first) : error;
  }
}

const isListenError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall));

async function untilStopped(
  call: Invocation,
  options: ServeOptions,
  { hub, url, operator: { warning }, uses }: ServedHub,
  stop: ReturnType<typeof stopSignals>,
): Promise<void> {
  if (warning !== null) warn(call, warning);
  const ends = [stop.requested, hub.stopRequested];
  if (options.untilIdle) ends.push(untilIdle(uses, call.env, stop.signal));
  else {
    await greet(call, options, hub, url);
    await reportState(call, hub, stop.signal);
  }
  await Promise.race(ends);
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
