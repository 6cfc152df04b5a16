import type { Environment } from '../home/paths.ts';
import type { ConfigFormat, Table } from '../config-edits/format.ts';

export type Scope = 'user' | 'project';

/** The command in a client's config file. */
export interface Launch {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Where to look for a client's files. */
export interface Place {
  env: Environment;
  platform: NodeJS.Platform;
  /** The user's own folder. */
  home: string;
  /** The folder of the scope `project`. */
  folder: string;
}

/** A program that starts MCP servers, or agents that speak ACP, from a config file of its own. */
export interface McpClient {
  id: string;
  title: string;
  /** What it speaks to the command; MCP by default. */
  protocol?: 'acp';
  format: ConfigFormat;
  /** The files it reads for a scope; the first existing one is written. Empty if it has no such scope. */
  files(scope: Scope, place: Place): readonly string[];
  /** Files and folders that show that it is installed. */
  traces(place: Place): readonly string[];
  /** Matches the name that it gives in the MCP handshake. */
  callsItself: RegExp;
  /** Its command on the PATH. */
  programs: readonly string[];
  /** Whether it uses the PATH of a shell. If not, it gets absolute paths. */
  knowsPath: boolean;
  /** A placeholder for its open folder, if it starts servers in another folder. */
  workspaceVariable: string | null;
  /** The path of the server list in a file with this content. */
  serversPath(config: Table): readonly string[];
  /** Our entry. `undefined` removes a key; other keys stay. */
  entry(launch: LaunchPatch, config: Table): Table;
  /** The command of an entry; null if it has none, such as a URL. */
  launch(entry: Table): Launch | null;
  /** A one-click installation link. */
  link?(name: string, launch: Launch): string;
  /** How to make the client pick up the change. */
  next: string;
}

/** A launch to write; variables without a value are removed. */
export interface LaunchPatch extends Omit<Launch, 'env'> {
  env: Readonly<Record<string, string | undefined>>;
}
