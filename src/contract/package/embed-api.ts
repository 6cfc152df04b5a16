import type { AgentModule } from './agent-module.ts';

/** What `agent-zoo` exports, for programs that have a hub inside of them. */

export interface HubOptions {
  /** Where everything the hub writes lives; by default `ZOO_HOME`, or the platform's data directory. */
  home?: string;
  /** The workspace; by default the folder that the program runs in. */
  folder?: string;
  /** A config that stands in for the workspace's and the user's own. */
  config?: string;
  env?: Readonly<Record<string, string | undefined>>;
  /** Agents of the program itself. They run in its own thread. */
  agents?: readonly AgentModule[];
  /** Lets the workspace run what it brings along, without asking. */
  trustAll?: boolean;
}

export interface ServerOptions extends HubOptions {
  /** By default 127.0.0.1. */
  host?: string;
  /** By default 7331; 0 is any free one. */
  port?: number;
}

export interface ResolvedPrompt {
  system: string;
  tools: string[];
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
  receipt: { totalTokens: number; searches: number; fetches: number; warnings: string[]; durationMs: number };
}

export interface ListedAgentInfo {
  name: string;
  title: string;
  description: string;
  tools: string[];
  source: string;
  arguments: { name: string; description: string; required: boolean }[];
}

export interface EmbeddedHub {
  /** Adds an agent, under its name. Throws when that is taken, or when something is wrong with it. */
  register(agent: AgentModule): Promise<void>;
  agents(): Promise<ListedAgentInfo[]>;
  resolve(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<ResolvedPrompt>;
  callTool(name: string, args?: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

export interface RunningServer extends EmbeddedHub {
  url: string;
  /** The operator's: who has it may do everything. */
  token: string;
  /** Resolves when somebody has asked it to stop (`zoo stop`), and it has. */
  closed: Promise<void>;
}

/** A hub in this process, without any way in but this. */
export type CreateHub = (options?: HubOptions) => Promise<EmbeddedHub>;
/** The hub of a home, over HTTP and MCP. Throws when another process serves it. */
export type RunServer = (options?: ServerOptions) => Promise<RunningServer>;
