/** How a client reaches the hub, in the words of the tests; each driver writes it in its client's own. */
export type ServerEntry =
  | { transport: 'stdio'; command: string; args: string[]; env: Record<string, string> }
  | { transport: 'http'; url: string; headers: Record<string, string> }
  /** `zoo connect` has put it into the client's own configuration. */
  | { transport: 'connected' };

/** What somebody types. */
export type Task = { say: string } | { agent: string; arguments: Record<string, string> };

export interface Launch {
  args: string[];
  env: Record<string, string>;
  /** To be there before the start, by their paths under HOME. */
  files: Record<string, string>;
}

/** One client, without anybody at it: what it is started with. */
export interface Driver {
  /** As in scripts/clients.js. */
  name: string;
  /** Whether it can be asked for an agent by a slash command without a terminal. */
  hasPrompts: boolean;
  launch(setup: { task: Task; server: ServerEntry; modelUrl: string; home: string }): Launch;
}

/** What the hub is called in every client's configuration, as `zoo connect` calls it. */
export const serverName = 'agent-zoo';
