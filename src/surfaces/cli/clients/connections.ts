import { existsSync } from 'node:fs';
import type { Launch, McpClient, Place, Scope } from './client.ts';
import { loadConfig } from './config/config-file.ts';
import { BrokenConfig, isTable, valueAt } from './config/format.ts';
import type { Table } from './config/format.ts';
import { agentOf, findOnPath } from './own-launch.ts';

const ownName = 'agent-zoo';

export function serverName(agent: string | undefined): string {
  return agent === undefined ? ownName : `${ownName}-${agent}`;
}

/** An entry of ours in a client's file. */
export interface ClientConnection {
  name: string;
  agent: string | undefined;
  /** Null where the entry starts nothing, such as a URL. */
  launch: Launch | null;
  /** Switched off in the client. */
  off: boolean;
}

export interface ClientFile {
  scope: Scope;
  file: string;
  connections: readonly ClientConnection[];
  /** Why nobody can say what is in it. */
  problem: BrokenConfig | null;
}

/** The file of a scope; null if the client has no such scope. */
export function fileFor(client: McpClient, scope: Scope, place: Place): string | null {
  const files = client.files(scope, place);
  return files.find((file) => existsSync(file)) ?? files[0] ?? null;
}

/** Both files of a client, with what is ours in them. */
export async function loadClientFiles(client: McpClient, place: Place): Promise<ClientFile[]> {
  const user = fileFor(client, 'user', place);
  const project = fileFor(client, 'project', place);
  const found: ClientFile[] = [];
  if (user !== null) found.push(await loadClientFile(client, 'user', user));
  // In the user's own folder, both are the same file.
  if (project !== null && project !== user) found.push(await loadClientFile(client, 'project', project));
  return found;
}

async function loadClientFile(client: McpClient, scope: Scope, file: string): Promise<ClientFile> {
  try {
    const { text } = await loadConfig(file);
    return { scope, file, connections: connectionsIn(client, client.format.parse(text)), problem: null };
  } catch (error) {
    if (!(error instanceof BrokenConfig)) throw error;
    return { scope, file, connections: [], problem: error };
  }
}

function connectionsIn(client: McpClient, config: Table): ClientConnection[] {
  const servers = valueAt(config, client.serversPath(config));
  return Object.entries(isTable(servers) ? servers : {}).flatMap(([name, entry]) => {
    if (!isTable(entry) || !(name === ownName || name.startsWith(`${ownName}-`))) return [];
    const launch = client.launch(entry);
    const off = entry['enabled'] === false || entry['disabled'] === true;
    return [{ name, agent: launch ? agentOf(launch) : undefined, launch, off }];
  });
}

export function isInstalled(client: McpClient, place: Place): boolean {
  return (
    client.traces(place).some((path) => existsSync(path)) ||
    client.programs.some((name) => findOnPath(name, place.env) !== null)
  );
}
