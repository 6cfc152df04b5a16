import { existsSync, readFileSync } from 'node:fs';
import { createClient } from '../../../client.ts';
import type { ZooClient } from '../../../contract/api.ts';
import { keepCompiled } from '../../../platform/processes/compile-cache.ts';
import { findHub } from '../../../platform/home/hub-file.ts';
import type { HubFile } from '../../../platform/home/hub-file.ts';
import { homeFiles, zooHome } from '../../../platform/home/paths.ts';
import type { Connection, OwnHubOptions } from './connection.ts';
import { Failure } from '../output/failure.ts';
import { httpTransport, isRefused } from './http-transport.ts';
import { requireWritableHome } from './writable-home.ts';
import type { Invocation } from '../invocation.ts';

/**
 * The hub that serves this home, or a local one. An explicit config is not that of the running hub, so it also
 * needs a local hub on the same store.
 */
export async function connect(call: Invocation, options: OwnHubOptions = {}): Promise<Connection> {
  const home = zooHome(call.env);
  const hub = call.config === undefined ? findHub(home) : null;
  if (!hub) return openOwn(home, call, options);
  return withFallback(openRemote(home, hub, call), () => openOwn(home, call, options));
}

/** The hub that serves this home; fails if there is none. */
export async function connectToHub(call: Invocation): Promise<Connection & { hub: HubFile }> {
  const home = zooHome(call.env);
  const hub = findHub(home);
  if (!hub) throw notRunning();
  return { ...openRemote(home, hub, call), hub };
}

export function notRunning(): Failure {
  return new Failure('the hub is not running', { code: 'not_running', hints: ['`zoo serve` starts it'] });
}

async function openOwn(home: string, call: Invocation, options: OwnHubOptions): Promise<Connection> {
  requireWritableHome(home);
  // Only in an existing home: Node would create it with open permissions.
  if (existsSync(home)) keepCompiled(homeFiles(home).compiled);
  return (await import('./local-client.ts')).openLocal(home, call, options);
}

function openRemote(home: string, hub: HubFile, call: Invocation): Connection {
  const client = createClient(httpTransport(hub, readToken(home)), { workspace: call.folder });
  return { client, isOwn: () => false, close: async () => undefined };
}

/** Read directly: the code that creates and checks tokens loads `node:crypto`, and the hub checks it anyway. */
function readToken(home: string): string {
  try {
    return readFileSync(homeFiles(home).operatorToken, 'utf8').trim();
  } catch (error) {
    const hints = ['restart the hub: stop it with Ctrl-C, then `zoo serve`'];
    throw new Failure(`cannot read the token of the running hub: ${String(error)}`, { hints });
  }
}

/** A crashed hub leaves its file behind. A refused connection means that nothing was done there. */
function withFallback(remote: Connection, openOther: () => Promise<Connection>): Connection {
  let current = remote;
  const fallBack = async (error: unknown): Promise<ZooClient> => {
    if (current !== remote || !isRefused(error)) throw error;
    current = await openOther();
    return current.client;
  };
  return {
    isOwn: () => current.isOwn(),
    client: {
      async call(name, input, signal) {
        try {
          return await current.client.call(name, input, signal);
        } catch (error) {
          return (await fallBack(error)).call(name, input, signal);
        }
      },
      async *stream(name, input, signal) {
        try {
          yield* current.client.stream(name, input, signal);
        } catch (error) {
          yield* (await fallBack(error)).stream(name, input, signal);
        }
      },
    },
    close: () => current.close(),
  };
}
