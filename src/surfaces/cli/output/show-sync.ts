import type { ZooClient } from '../../../contract/api.ts';
import type { SyncEvent } from '../../../contract/knowledge.ts';
import { Failure } from './failure.ts';
import { printLine, say } from '../invocation.ts';
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

/** Follows a sync: a bar at a terminal, a line for each source elsewhere, events as JSON for programs. */
export async function showSync(call: Invocation, open: Open, watch = false): Promise<void> {
  const stop = stopSignals();
  const bar = call.terminal.err.isTTY && !call.json ? await openBar() : null;
  let ended: Extract<SyncEvent, { type: 'end' }> | null = null;
  let dryRun = false;
  try {
    await withClient(call, async (client) => {
      for await (const event of open(client, stop.signal)) {
        if (call.json) printLine(call, event, () => '');
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
    if (event.type === 'change') printLine(call, event, () => renderChange(event, call.paint));
    if (event.type === 'skip') printLine(call, event, () => renderSkip(event, call.paint));
    if (event.type === 'problem') say(call, renderProblem(event, call.terminal.err.paint));
    if (event.type === 'done') printLine(call, event, () => renderDone(event, dryRun, call));
    if (event.type === 'removed') printLine(call, event, () => renderRemoved(event, dryRun));
    if (event.type === 'end') printLine(call, event, () => renderEnd(event, dryRun));
    if (event.type === 'end' && watch) say(call, 'Watching for changes; press Ctrl-C to stop.');
  }

  function finish(end: Extract<SyncEvent, { type: 'end' }> | null): void {
    const hints = ['finished documents are kept: the next `zoo sync` continues from there'];
    if (stop.signal.aborted && !(watch && end)) {
      throw new Failure('the sync was stopped', { code: 'stopped', hints });
    }
    if (end === null) throw new Failure('the hub stopped during the sync', { hints });
    if (end.ok || stop.signal.aborted) return;
    throw new Failure('the sync finished with errors', {
      hints: ['`zoo sources` shows the errors, `zoo embed status` those of embeddings'],
    });
  }
}

async function openBar() {
  const { createSyncBar } = await import('./sync-bar.ts');
  return createSyncBar();
}
