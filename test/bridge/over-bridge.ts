import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { writeHubFile } from '../../src/platform/home/hub-file.ts';
import { serveConnection } from '../../src/surfaces/mcp/socket/connection.ts';
import { listenForBridges } from '../../src/surfaces/mcp/socket/bridge-socket.ts';
import type { RunningHub } from '../start-hub.ts';

const program = fileURLToPath(new URL('../../dist/zoo.js', import.meta.url));
let sockets = 0;

/** Connects a client through `zoo mcp`, as a process of its own, to a hub in this one. */
export async function overBridge(
  { hub, home, url, folder }: RunningHub,
  client: Client,
  options: { agent?: string; token?: string; workspace?: string },
): Promise<{ client: Client } & AsyncDisposable> {
  const errors: unknown[] = [];
  const quiet = () => undefined;
  const log = {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (message: string, fields?: object) => void errors.push([message, fields]),
  };
  const path = join(home, `${(sockets += 1)}.sock`);
  const version = '0.1.0';
  const socket = await listenForBridges(hub, {
    home,
    path,
    version,
    untilIdle: false,
    log,
    serve: (context, streams) => serveConnection(hub, context, streams, { log }),
  });
  writeHubFile(home, {
    pid: process.pid,
    url,
    socket: path,
    version,
    startedAt: new Date().toISOString(),
    secret: 's',
  });
  const close = async (): Promise<void> => {
    try {
      await client.close();
    } finally {
      await socket.close();
    }
    if (errors.length > 0) throw new Error(`the connection logged errors: ${JSON.stringify(errors)}`);
  };
  const args = options.agent === undefined ? [] : ['--agent', options.agent];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    cwd: options.workspace ?? folder,
    env: { ZOO_HOME: home, ...(options.token === undefined ? {} : { ZOO_TOKEN: options.token }) },
  });
  try {
    await client.connect(transport);
  } catch (error) {
    await close();
    throw error;
  }
  return { client, [Symbol.asyncDispose]: close };
}
