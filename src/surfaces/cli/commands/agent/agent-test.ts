import type { ZooClient } from '../../../../contract/api.ts';
import { ZooError } from '../../../../contract/errors.ts';
import type { ZooEvent } from '../../../../contract/event.ts';
import { connect } from '../../hub-access/connect-to-hub.ts';
import { describe, renderFailure } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { readPairs } from '../../input/name-value-pairs.ts';
import { renderResolved } from '../../render/resolved.ts';
import { stopSignals } from '../../serving/stop-signals.ts';
import { sayTraceback } from '../../output/traceback.ts';

export interface TestOptions {
  arg: string[];
  receipt?: true;
  watch?: true;
  trust?: true;
}

/** Seed 002 §9.2. */
export async function testAgent(call: Invocation, id: string, options: TestOptions): Promise<void> {
  const args = readPairs(options.arg, '--arg');
  const connection = await connect(call, { watch: options.watch ?? false });
  const { client } = connection;
  try {
    if (options.watch) await watchAgent(call, client, id, args, options);
    else await testOnce(call, client, id, args, options);
  } finally {
    await connection.close();
  }
}

async function testOnce(
  call: Invocation,
  client: ZooClient,
  id: string,
  args: Readonly<Record<string, string>>,
  { receipt = false }: { receipt?: boolean },
): Promise<void> {
  try {
    const agent = await client.call('getAgent', { id });
    const resolved = await client.call('resolveAgent', { name: id, body: { arguments: { ...args } } });
    print(call, resolved, () => renderResolved(agent, resolved, call.folder, receipt));
  } catch (error) {
    if (!call.json && error instanceof ZooError) sayTraceback(call, error);
    throw error;
  }
}

/** What may make an agent resolve to something else. */
const RELEVANT = new Set<ZooEvent['type']>([
  'agent-created',
  'agent-changed',
  'agent-deleted',
  'agent-undeleted',
  'brain-created',
  'brain-changed',
  'brain-deleted',
  'tools-changed',
  'diagnostics-changed',
  'trust-changed',
  'knowledge-synced',
]);
const SETTLE_MS = 150;

async function watchAgent(
  call: Invocation,
  client: ZooClient,
  id: string,
  args: Readonly<Record<string, string>>,
  options: TestOptions,
): Promise<void> {
  const stop = stopSignals();
  const again = async (): Promise<void> => {
    try {
      if (options.trust) await approve(client);
      await testOnce(call, client, id, args, options);
    } catch (error) {
      // Whoever watches is about to put it right.
      call.terminal.err.write(renderFailure(describe(error), call.json));
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const follow = async (): Promise<void> => {
    for await (const event of client.stream('events', {}, stop.signal)) {
      if (!concerns(event, id)) continue;
      clearTimeout(timer);
      timer = setTimeout(() => void again(), SETTLE_MS);
    }
  };
  try {
    // From before the first look, so that no change falls between the two.
    const followed = follow();
    await again();
    if (!call.json) say(call, `Watching ${id}; Ctrl-C ends it.`);
    await followed;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    stop.dispose();
  }
}

const concerns = ({ type, agentId }: ZooEvent, id: string): boolean =>
  RELEVANT.has(type) && (agentId === null || agentId === id);

async function approve(client: ZooClient): Promise<void> {
  const { state, hash } = await client.call('getTrust', {});
  if (state === 'untrusted' || state === 'changed') await client.call('approveTrust', { body: { hash } });
}
