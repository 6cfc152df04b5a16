import type { ZooClient } from '../../contract/api.ts';

export interface Connection {
  client: ZooClient;
  /** Whether it is a hub of our own, rather than the one that serves this home. */
  isOwn(): boolean;
  close(): Promise<void>;
}
