import type { ZooClient } from '../../../contract/api.ts';

/** For a local hub; a serving hub always watches. */
export interface OwnHubOptions {
  /** Whether it notices changes of files. */
  watch?: boolean;
}

export interface Connection {
  client: ZooClient;
  /** Whether it is a local hub, not the one that serves this home. */
  isOwn(): boolean;
  close(): Promise<void>;
}
