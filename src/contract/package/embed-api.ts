import type { AgentModule } from './agent-module.ts';

/** The exports of `agent-zoo`, for programs that embed a hub. */

export interface HubOptions {
  /** The folder that the hub writes to; default: `ZOO_HOME`, or the platform's data directory. */
  home?: string;
  /** The workspace; default: the current directory. */
  folder?: string;
  /** A config that is used instead of the workspace's and the user's own. */
  config?: string;
  env?: Readonly<Record<string, string | undefined>>;
  /** Agents of the program itself. They run in its own thread. */
  agents?: readonly AgentModule[];
  /** Trusts the workspace without asking. */
  trustAll?: boolean;
}

export interface ServerOptions extends HubOptions {
  /** By default 127.0.0.1. */
  host?: string;
  /** Default 7331; 0 for any free port. */
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
  /** Adds an agent under its name. Throws if the name is taken or the agent is invalid. */
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
  /** The operator's token, which may do everything. */
  token: string;
  /** Resolves after the hub was stopped (`zoo stop`). */
  closed: Promise<void>;
}

/** A hub in this process, without any surface. */
export type CreateHub = (options?: HubOptions) => Promise<EmbeddedHub>;
/** A hub served over HTTP and MCP. Throws if another process serves the same home. */
export type RunServer = (options?: ServerOptions) => Promise<RunningServer>;
