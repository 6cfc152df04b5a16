import type { UpstreamStatus } from '../../contract/operations/upstreams.ts';

type State = Pick<UpstreamStatus, 'name' | 'state' | 'error' | 'tools'>;

/** Why an upstream server offers no tools, as the end of a sentence; null while it is in order. */
export function describeAbsentServer({ name, state, error, tools }: State): string | null {
  if (state === 'disabled') return `the server '${name}' is disabled in its config`;
  if (state === 'untrusted') return `the server '${name}' is not approved; run 'zoo trust'`;
  // A server that was never reached may be restarting now.
  const failed = error !== null && (state === 'failed' || tools === null);
  return failed ? `the server '${name}' failed: ${error.split('\n', 1)[0]}` : null;
}
