import type { CreateHub, EmbeddedHub, HubOptions, RunServer } from './contract/package/embed-api.ts';
import { createHub as openHub } from './hub/create-hub.ts';
import type { Hub } from './hub/hub.ts';
import { ensureOperatorToken } from './platform/home/access.ts';
import { removeHubFile, writeHubFile } from './platform/home/hub-file.ts';
import { acquireServeLock } from './platform/home/lock.ts';
import { createLog, type Log } from './platform/home/log.ts';
import { homeFiles, zooHome } from './platform/home/paths.ts';
import { VERSION } from './platform/home/version.ts';
import { surfaces } from './wiring.ts';

export { defineAgent } from './contract/package/agent-module.ts';

export const createHub: CreateHub = async (options = {}) => {
  const hub = await open(options, { serving: false });
  return embedded(hub, () => hub.close());
};

/** Seed 002's `run_server_with_agents`. */
export const runServer: RunServer = async (options = {}) => {
  const home = options.home ?? zooHome(options.env ?? process.env);
  const lock = await acquireServeLock(home);
  if (!lock) throw new Error(`the hub of ${home} is already running`);
  // What was opened last is closed first.
  const opened: (() => void | Promise<void>)[] = [() => lock.release()];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      for (const end of opened.toReversed()) await end();
    })());
  try {
    const log = createLog({ file: homeFiles(home).log });
    opened.push(() => log.close());
    const { token } = ensureOperatorToken(home);
    const hub = await open({ ...options, home }, { serving: true, log });
    opened.push(() => hub.close());
    const { host = '127.0.0.1', port = 7331 } = options;
    const allowedHosts = [...hub.serverSettings().allowedHosts, host];
    const server = await surfaces.startHttp(hub, {
      host,
      port,
      auth: true,
      allowedHosts,
      log,
      version: VERSION,
    });
    opened.push(() => server.close());
    const { socket } = homeFiles(home);
    const bridges = await surfaces.startSocket(hub, {
      home,
      path: socket,
      untilIdle: false,
      log,
      version: VERSION,
    });
    opened.push(() => bridges.close());
    const startedAt = new Date().toISOString();
    const { url } = server;
    writeHubFile(home, {
      pid: process.pid,
      url,
      socket,
      version: VERSION,
      startedAt,
      secret: hub.announce(url),
    });
    opened.push(() => removeHubFile(home, process.pid));
    const stopped = hub.stopRequested.then(close);
    // Whoever closes it does not wait for anybody to ask.
    const closed = new Promise<void>((resolve, reject) => {
      opened.unshift(resolve);
      stopped.catch(reject);
    });
    return { ...embedded(hub, close), url: server.url, token, closed };
  } catch (error) {
    await close();
    throw error;
  }
};

interface Role {
  serving: boolean;
  log?: Log;
}

async function open({ agents = [], ...options }: HubOptions, { serving, log }: Role): Promise<Hub> {
  const { env = process.env, folder = process.cwd(), home = zooHome(env), config, trustAll } = options;
  const hub = await openHub({
    home,
    env,
    folder,
    config,
    trustAll,
    serving,
    threads: true,
    watch: true,
    log,
  });
  try {
    for (const agent of agents) await hub.register(agent);
    return hub;
  } catch (error) {
    await hub.close();
    throw error;
  }
}

function embedded(hub: Hub, close: () => Promise<void>): EmbeddedHub {
  const context = async (signal?: AbortSignal) => hub.localContext(await hub.workspaceFor(undefined), signal);
  return {
    register: (agent) => hub.register(agent),
    agents: async () => (await hub.operations.listAgentInfo({}, await context())).agents,
    resolve: async (name, args = {}, signal) =>
      hub.operations.resolveAgent({ name, body: { arguments: { ...args } } }, await context(signal)),
    callTool: async (name, args = {}, signal) =>
      hub.operations.callTool({ name, body: { ...args } }, await context(signal)),
    close,
  };
}
