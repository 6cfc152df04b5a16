import type { UpstreamStatus } from '../../contract/operations/upstreams.ts';

type State = Pick<UpstreamStatus, 'name' | 'state' | 'error' | 'tools'>;

/** Why an upstream server offers no tools, as the end of a sentence; null while it is in order. */
export function describeAbsentServer({ name, state, error, tools }: State): string | null {
  if (state === 'disabled') return `the server '${name}' is disabled in its config`;
  if (state === 'untrusted') return `the server '${name}' is not approved; run 'zoo trust'`;
  // A server that was never reached may be restarting now.
  const failed = error !== null && (state === 'failed' || tools === null);
  return failed ? `the server '${name}' failed: ${inOneLine(name, error)}` : null;
}

/** Quotes one line that the server printed; a longer output is left to `zoo tools status`. */
function inOneLine(name: string, error: string): string {
  const [first = '', ...printed] = error.split('\n').filter((line) => line.trim() !== '');
  if (printed.length === 0) return first;
  if (printed.length === 1) return `${first} ${printed[0]?.trim()}`;
  return `${first.replace(/\.? It said:$/, '')}; 'zoo tools status ${name}' shows its output`;
}
