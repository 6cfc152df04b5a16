import type { Agent } from '../contract/agent.ts';
import type { AgentModule } from '../contract/package/agent-module.ts';
import type { Implementation } from '../contract/api.ts';
import type { CallContext, Caller } from '../contract/call.ts';
import type { PushConfigs } from './a2a/push-configs.ts';
import type { Offers } from './offers/offers.ts';
import type { ClientTools } from './runner/client-tools.ts';
import type { Use } from './wing.ts';

export type { OfferedServer } from './runner/client-tools.ts';

/** The holder of a credential. An agent's token also determines the workspace. */
export interface Identity {
  caller: Caller;
  workspace: string | null;
  /** Of a team member: its agent definition, if it has one. */
  agent?: string | null;
}

export interface Credentials {
  /** From `Authorization: Bearer`. */
  token: string;
}

/** `[server]` of the config that the hub was started with. */
export interface ServerSettings {
  bind: string | null;
  allowedHosts: readonly string[];
}

/** `[a2a]` of the config that the hub was started with, or of the user's own. */
export interface A2ASettings {
  /** The agent that is served where no agent is named. */
  default: string | null;
  /** The public address; null for the one that a caller used. */
  url: string | null;
  /** Who offers the agents. */
  provider: { name: string; url: string } | null;
  contextIdleMs: number;
  /** Hosts on a private network to which tasks may be reported. */
  pushHosts: readonly string[];
}

/** All operations, and what surfaces need to call them. */
export interface Hub {
  operations: Implementation;
  /** Tools, prompts and resources, for surfaces whose calls can ask back and report progress. */
  offers: Offers;
  /** Null if the credentials are missing or invalid. */
  authenticate(credentials: Credentials): Promise<Identity | null>;
  /**
   * Reports each revoked token by id, so that its connections can be closed. Returns a function that unsubscribes.
   */
  onTokenRevoked(listener: (tokenId: string) => void): () => void;
  /**
   * The workspace id for an id, an absolute folder path, or nothing (the folder that the hub was started in). With
   * `known`, folders that were never opened are rejected.
   */
  workspaceFor(named: string | undefined, options?: { known?: boolean }): Promise<string>;
  /** The context of the operator in this process. */
  localContext(workspace: string, signal?: AbortSignal): CallContext;
  /** An MCP client has called; `name` is the one of its handshake. */
  clientSeen(name: string, context: Pick<CallContext, 'agent' | 'workspace'>): void;
  clientTools: Pick<ClientTools, 'offer'>;
  /** A client (`CallContext.client`) has disconnected; its state is released. */
  clientGone(client: string): void;
  serverSettings(): ServerSettings;
  a2aSettings(): A2ASettings;
  /** False for an agent of a workspace that was not approved. */
  mayRun(agent: Pick<Agent, 'id' | 'source'>, workspace: string): Promise<boolean>;
  pushConfigs: PushConfigs;
  /** Publishes the hub's address. Returns the secret for `hub.json`, with which the hub proves its identity. */
  announce(url: string): string;
  use(): Use;
  /** Adds an agent of the embedding program. */
  register(agent: AgentModule): Promise<void>;
  /** Resolves when the operation `stop` has been called. */
  stopRequested: Promise<void>;
  /** Call this before closing connections: pending work of their clients continues in the next hub. */
  drain(): void;
  close(): Promise<void>;
}
