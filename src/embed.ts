import type { CreateHub, EmbeddedHub, HubOptions, RunServer } from './contract/package/embed-api.ts';
import { createHub as openHub } from './hub/create-hub.ts';
import type { Hub } from './hub/hub.ts';
import { serveHub } from './hub/serving/serve-hub.ts';
import { zooHome } from './platform/home/paths.ts';
import { asError } from './platform/text/error-message.ts';
import { surfaces } from './wiring.ts';

export { defineAgent } from './contract/package/agent-module.ts';

export const createHub: CreateHub = async (options = {}) => {
  const hub = await open(options);
  return embedded(hub, () => hub.close());
};

/** Seed 002's `run_server_with_agents`. */
export const runServer: RunServer = async (options = {}) => {
  const { env = process.env, folder = process.cwd(), config, trustAll, agents = [] } = options;
  const { home = zooHome(env), host = '127.0.0.1', port = 7331 } = options;
  const served = await serveHub({
    home,
    env,
    folder,
    config,
    trustAll,
    agents,
    surfaces,
    address: () => ({ first: { host, port } }),
    auth: true,
    untilIdle: false,
  });
  if (!served) throw new Error(`the hub of ${home} is already running`);
  const { hub, url, operator } = served;
  let ended: (error?: unknown) => void = () => undefined;
  const closed = new Promise<void>((resolve, reject) => {
    ended = (error) => (error === undefined ? resolve() : reject(asError(error)));
  });
  const close = (): Promise<void> => served.close().finally(() => ended());
  hub.stopRequested.then(served.close).then(() => ended(), ended);
  return { ...embedded(hub, close), url, token: operator.token, closed };
};

async function open({ agents = [], ...options }: HubOptions): Promise<Hub> {
  const { env = process.env, folder = process.cwd(), home = zooHome(env), config, trustAll } = options;
  const hub = await openHub({ home, env, folder, config, trustAll, threads: true, watch: true });
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
