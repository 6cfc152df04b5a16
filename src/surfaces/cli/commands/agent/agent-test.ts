import type { ZooClient } from '../../../../contract/api.ts';
import { ZooError } from '../../../../contract/errors.ts';
import type { ZooEvent } from '../../../../contract/event.ts';
import { connect } from '../../hub-access/connect-to-hub.ts';
import { describe, renderFailure, wrongUsage } from '../../output/failure.ts';
import { errorView, print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { readPairs } from '../../input/name-value-pairs.ts';
import { renderResolved } from '../../render/resolved.ts';
import { renderTrust } from '../../render/trust.ts';
import { confirm } from '../../input/asker.ts';
import { isOpen } from '../workspace/trust.ts';
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
  if (options.trust && !options.watch) {
    throw wrongUsage('--trust works with --watch only', '`zoo trust --yes` approves the workspace once');
  }
  const args = readPairs(options.arg, '--arg');
  const connection = await connect(call, { watch: options.watch ?? false });
  const { client } = connection;
  try {
    if (options.watch) await watchAgent(call, client, id, args, options);
    else {
      // Makes a running hub read the files again: it may not have seen the latest save yet.
      if (!connection.isOwn()) await client.call('getTrust', {});
      await testOnce(call, client, id, args, options);
    }
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
    print(call, resolved, () => renderResolved(agent, resolved, call, receipt));
  } catch (error) {
    if (!call.json && error instanceof ZooError) sayTraceback(call, error);
    throw error;
  }
}

/** Events that can change the result of a resolve. */
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
      await approveChanges(call, client, options.trust ?? false, stop.signal);
      await testOnce(call, client, id, args, options);
    } catch (error) {
      // The author is about to fix it.
      const { columns, paint } = errorView(call);
      call.terminal.err.write(renderFailure(describe(error), { json: call.json, columns, paint }));
    }
  };
  // One run at a time: an edit while the author is asked waits for the answer.
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const follow = async (): Promise<void> => {
    for await (const event of client.stream('events', {}, stop.signal)) {
      if (!concerns(event, id)) continue;
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = running.then(again);
      }, SETTLE_MS);
    }
  };
  try {
    // Started before the first run, so that no change in between is missed.
    const followed = follow();
    await (running = again());
    if (!call.json) say(call, `Watching ${id}; press Ctrl-C to stop.`);
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

/** An edit of a script withdraws the approval of its workspace: with `--trust` it is renewed, else the author is asked. */
async function approveChanges(
  call: Invocation,
  client: ZooClient,
  always: boolean,
  signal: AbortSignal,
): Promise<void> {
  const report = await client.call('getTrust', {});
  if (!isOpen(report)) return;
  const { asker } = call.terminal;
  if (!always) {
    if (!asker || call.json) return;
    say(call, `\n${renderTrust(report, errorView(call))}`);
    const stopped = new Promise<boolean>((resolve) => {
      signal.addEventListener('abort', () => resolve(false), { once: true });
    });
    if (!(await Promise.race([confirm(asker, 'Approve it?'), stopped]))) return;
  }
  await client.call('approveTrust', { body: { hash: report.hash } });
}
