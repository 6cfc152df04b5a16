import type { ZooClient } from '../../../contract/api.ts';
import type { SyncEvent } from '../../../contract/knowledge.ts';
import { Failure } from './failure.ts';
import { print, say } from '../invocation.ts';
import type { Invocation } from '../invocation.ts';
import {
  renderChange,
  renderDone,
  renderEnd,
  renderProblem,
  renderRemoved,
  renderSkip,
} from '../render/sync.ts';
import { stopSignals } from '../serving/stop-signals.ts';
import { withClient } from '../hub-access/with-client.ts';

type Open = (client: ZooClient, signal: AbortSignal) => AsyncIterable<SyncEvent>;

/** Shows a sync as it goes: a bar at a terminal, a line for each source elsewhere, events as JSON for programs. */
export async function showSync(call: Invocation, open: Open, watch = false): Promise<void> {
  const stop = stopSignals();
  const bar = call.terminal.err.isTTY && !call.json ? await openBar() : null;
  let ended: Extract<SyncEvent, { type: 'end' }> | null = null;
  let dryRun = false;
  try {
    await withClient(call, async (client) => {
      for await (const event of open(client, stop.signal)) {
        if (call.json) call.terminal.out.write(`${JSON.stringify(event)}\n`);
        if (event.type === 'start') ({ dryRun } = event);
        if (event.type === 'end') ended ??= event;
        if (!call.json) show(event);
      }
    });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    bar?.stop();
    stop.dispose();
  }
  finish(ended);

  function show(event: SyncEvent): void {
    if (event.type === 'progress') return bar?.update(event);
    if (event.type === 'start') return;
    bar?.stop();
    if (event.type === 'change') print(call, event, () => renderChange(event, call.paint));
    if (event.type === 'skip') print(call, event, () => renderSkip(event, call.paint));
    if (event.type === 'problem') say(call, renderProblem(event));
    if (event.type === 'done') print(call, event, () => renderDone(event, dryRun, call.paint));
    if (event.type === 'removed') print(call, event, () => renderRemoved(event, dryRun));
    if (event.type === 'end') print(call, event, () => renderEnd(event, dryRun));
    if (event.type === 'end' && watch) say(call, 'Watching for changes; Ctrl-C ends it.');
  }

  function finish(end: Extract<SyncEvent, { type: 'end' }> | null): void {
    const hints = ['what was done is kept: the next `zoo sync` goes on from there'];
    if (stop.signal.aborted && !(watch && end)) {
      throw new Failure('stopped before its end', { code: 'stopped', hints });
    }
    if (end === null) throw new Failure('the hub ended before the sync did', { hints });
    if (end.ok || stop.signal.aborted) return;
    throw new Failure('not everything could be synced', {
      hints: ['`zoo sources`, and `zoo embed status` for vectors, show what is wrong'],
    });
  }
}

async function openBar() {
  const { createSyncBar } = await import('./sync-bar.ts');
  return createSyncBar();
}
