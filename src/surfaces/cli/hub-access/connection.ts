import type { ZooClient } from '../../../contract/api.ts';

/** For a hub of our own; one that serves watches in any case. */
export interface OwnHubOptions {
  /** Whether it notices changes of files. */
  watch?: boolean;
}

export interface Connection {
  client: ZooClient;
  /** Whether it is a hub of our own, rather than the one that serves this home. */
  isOwn(): boolean;
  close(): Promise<void>;
}
