import type { Logins } from '../../tools/upstream/login/logins.ts';
import type { Upstreams } from '../../tools/upstream/upstreams.ts';
import type { UpstreamEntries } from './upstream-entries.ts';

/** Upstream servers, and how to sign in to them. */
export interface UpstreamAccess {
  upstreams: Upstreams;
  logins: Logins;
  entries: UpstreamEntries;
}
