import type { AcceptedTools } from '../../tools/upstream/accepted-tools.ts';
import type { Logins } from '../../tools/upstream/login/logins.ts';
import type { Upstreams } from '../../tools/upstream/upstreams.ts';
import type { UpstreamEntries } from './upstream-entries.ts';

/** Upstream servers, how to sign in to them, and their accepted tools. */
export interface UpstreamAccess {
  upstreams: Upstreams;
  logins: Logins;
  entries: UpstreamEntries;
  accepted: AcceptedTools;
  /** Answers the questions of those who wait for a sign-in at this server. */
  signedIn(server: string): Promise<void>;
  /** Notifies clients that the tools of these owners have changed. */
  announce(owners: (string | null)[]): Promise<void>;
}
