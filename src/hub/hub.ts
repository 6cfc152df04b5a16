import type { AgentModule } from '../contract/package/agent-module.ts';
import type { Implementation } from '../contract/api.ts';
import type { CallContext, Caller } from '../contract/call.ts';
import type { Offers } from './offers/offers.ts';
import type { Use } from './wing.ts';

/** Who holds a credential. An agent's token also fixes the workspace. */
export interface Identity {
  caller: Caller;
  workspace: string | null;
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

/** The rooms, wired: every operation, and what a surface needs in order to call one. */
export interface Hub {
  operations: Implementation;
  /** Tools, prompts and resources, for surfaces whose calls can ask back and report progress. */
  offers: Offers;
  /** Null when the credentials are wrong or absent. */
  authenticate(credentials: Credentials): Promise<Identity | null>;
  /** Called with the id of each token that is revoked, to close what it had opened; returns a function that ends it. */
  onTokenRevoked(listener: (tokenId: string) => void): () => void;
  /**
   * The id for what a caller named: an id, an absolute path of a folder, or nothing (where the hub was started). With
   * `known`, a folder that nobody has opened before is refused.
   */
  workspaceFor(named: string | undefined, options?: { known?: boolean }): Promise<string>;
  /** The context of a caller in this process, who is the operator. */
  localContext(workspace: string, signal?: AbortSignal): CallContext;
  /** A client that calls named as `client` has gone, and with it what was kept for it alone. */
  clientGone(client: string): void;
  serverSettings(): ServerSettings;
  /** Says where the hub can be reached. Returns the secret by which it proves that it is this hub, for `hub.json`. */
  announce(url: string): string;
  use(): Use;
  /** Adds an agent of the program that the hub is in. */
  register(agent: AgentModule): Promise<void>;
  /** Resolves when the operation `stop` has been called. */
  stopRequested: Promise<void>;
  close(): Promise<void>;
}
