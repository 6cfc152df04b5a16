import type { Id, Message, RpcError } from './message.ts';

/** Messages to send in reaction to an event. */
export interface Step {
  toHub: Buffer[];
  toClient: Buffer[];
}

/**
 * Everything a bridge must remember of a session to continue it with another hub. Pure: no clocks, no connections.
 * Lines are forwarded unchanged wherever possible.
 */
export interface Ledger {
  /** A message from the client to a hub that is ready. */
  fromClient(message: Message, line: Buffer): Buffer | null;
  fromHub(line: Buffer): Step;
  /** The connection was lost. Answers requests that must not be repeated, and cancels the hub's own requests. */
  lost(): Step;
  /** A new connection is open. Messages of the client wait until `ready`. */
  reopened(): Step;
  readonly ready: boolean;
  /** The hub announced that it is stopping. */
  readonly stopping: boolean;
  /** The number of unanswered requests. */
  readonly pending: number;
  /** Whether the client has a session that would miss changes. */
  readonly established: boolean;
  /** The request that a notification of the client cancels. */
  cancelled(notification: Extract<Message, { kind: 'notification' }>): Id | null;
  /** Forgets a request of a lost hub; false if there is none. */
  cancel(id: Id): boolean;
  /** No hub is available: answers everything that waits for one. */
  failed(reason: string): Buffer[];
  /** The error of a request that no hub was sent. */
  unavailable(reason: string): RpcError;
}

export const nothing = (): Step => ({ toHub: [], toClient: [] });
export const tell = (line: Buffer): Step => ({ toHub: [], toClient: [line] });
