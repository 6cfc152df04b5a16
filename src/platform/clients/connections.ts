import { existsSync } from 'node:fs';
import { findProgram } from '../processes/find-program.ts';
import type { Launch, McpClient, Place, Scope } from './client.ts';
import { loadConfig } from '../config-edits/config-file.ts';
import { BrokenConfig, isTable, valueAt } from '../config-edits/format.ts';
import type { Table } from '../config-edits/format.ts';
import { agentOf } from './own-launch.ts';

const ownName = 'agent-zoo';

export function serverName(agent: string | undefined): string {
  return agent === undefined ? ownName : `${ownName}-${agent}`;
}

/** An entry of Agent Zoo in a client's file. */
export interface ClientConnection {
  name: string;
  agent: string | undefined;
  /** Null if the entry starts no process, such as a URL. */
  launch: Launch | null;
  /** Disabled in the client. */
  off: boolean;
}

export interface ClientFile {
  scope: Scope;
  file: string;
  connections: readonly ClientConnection[];
  /** Why it could not be read. */
  problem: BrokenConfig | null;
}

/** The file of a scope; null if the client has no such scope. */
export function fileFor(client: McpClient, scope: Scope, place: Place): string | null {
  const files = client.files(scope, place);
  return files.find((file) => existsSync(file)) ?? files[0] ?? null;
}

/** Both files of a client, with our entries. */
export async function loadClientFiles(client: McpClient, place: Place): Promise<ClientFile[]> {
  const user = fileFor(client, 'user', place);
  const project = fileFor(client, 'project', place);
  const found: ClientFile[] = [];
  if (user !== null) found.push(await loadClientFile(client, 'user', user));
  // In the home folder, both are the same file.
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

export async function isInstalled(client: McpClient, place: Place): Promise<boolean> {
  if (client.traces(place).some((path) => existsSync(path))) return true;
  const found = client.programs.map((name) => findProgram(name, place.env, place.folder));
  return (await Promise.all(found)).some((file) => file !== null);
}
