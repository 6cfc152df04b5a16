import { createClient } from '../../../src/client.ts';
import type { Input, Output, StreamName, UnaryName, ZooClient } from '../../../src/contract/api.ts';
import { createTransport, type StreamWatch } from './transport.ts';
import { readWorkspace } from './workspace.ts';

function createHubClient(watch?: StreamWatch): ZooClient {
  const workspace = readWorkspace();
  return createClient(createTransport(watch), {
    ...(workspace === null ? {} : { workspace }),
    // A restarted hub is back within a second or two; retry often, so that the page is not stale for longer.
    retryDelay: (failures) => Math.min(250 * 2 ** failures, 2000),
  });
}

/** Calls an operation of the hub in the current workspace. */
export function call<N extends UnaryName>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<Output<N>> {
  return createHubClient().call(name, input, signal);
}

/**
 * Every change from now on. Asks for events after one that does not exist yet: the hub answers `events-lost` with its
 * latest number, so that the line has a start to resume from, and the page knows when it begins.
 */
export const openEvents = (watch: StreamWatch, signal: AbortSignal) =>
  createHubClient(watch).stream('events', { after: Number.MAX_SAFE_INTEGER }, signal);

/** The events of a long operation, such as a sync, as they come. */
export function follow<N extends StreamName>(name: N, input: Input<N>, signal?: AbortSignal) {
  return createHubClient().stream(name, input, signal);
}
