import type { Environment } from '../../../platform/home/paths.ts';
import type { ConfigFormat, Table } from './config/format.ts';

export type Scope = 'user' | 'project';

/** How a client starts us: exactly what its file says. */
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
  /** The folder that is meant by the scope `project`. */
  folder: string;
}

/** A program that starts MCP servers from a config file of its own. */
export interface McpClient {
  id: string;
  title: string;
  format: ConfigFormat;
  /** The files it reads for a scope, the first that exists being the one to write; none if it has no such scope. */
  files(scope: Scope, place: Place): readonly string[];
  /** Files and folders that are there once it has been used. */
  traces(place: Place): readonly string[];
  /** What it is called on the PATH. */
  programs: readonly string[];
  /** Whether it finds `zoo` where a shell would. If not, it is given whole paths. */
  knowsPath: boolean;
  /** What it replaces by the folder that is open in it, where it would start us elsewhere. */
  workspaceVariable: string | null;
  /** The keys that lead to its servers, in a file that holds this. */
  serversPath(config: Table): readonly string[];
  /** Our entry. A key that is `undefined` is taken away where it was; keys that are not named stay. */
  entry(launch: LaunchPatch, config: Table): Table;
  /** What an entry starts; null if it starts nothing, such as a URL. */
  launch(entry: Table): Launch | null;
  /** A link that has the client install it. */
  link?(name: string, launch: Launch): string;
  /** What makes it see the change. */
  next: string;
}

/** A launch to be written: variables without a value are not to be there. */
export interface LaunchPatch extends Omit<Launch, 'env'> {
  env: Readonly<Record<string, string | undefined>>;
}
