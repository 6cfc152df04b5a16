import type { Hub } from '../../../hub/hub.ts';
import { isOpen } from '../commands/workspace/trust.ts';
import { errorView, say } from '../invocation.ts';
import type { Invocation } from '../invocation.ts';
import { countDiagnostics, renderDiagnostics } from '../render/diagnostics.ts';
import { renderTrust } from '../render/trust.ts';
import { confirm } from '../input/asker.ts';

const shownDiagnostics = 5;

/** Problems of the workspace that `serve` was started in, and the question whether to trust it. */
export async function reportState(call: Invocation, hub: Hub, signal: AbortSignal): Promise<void> {
  const context = hub.localContext(await hub.workspaceFor(undefined), signal);
  const view = errorView(call);
  const { diagnostics } = await hub.operations.listDiagnostics({}, context);
  const shown = diagnostics.filter(({ severity }) => severity !== 'note');
  if (shown.length > 0) {
    say(call, `\n${countDiagnostics(diagnostics)} in this workspace:`);
    say(call, renderDiagnostics(shown.slice(0, shownDiagnostics), view));
    if (diagnostics.length > shownDiagnostics) say(call, '`zoo config check` shows all of them.');
  }
  const report = await hub.operations.getTrust({}, context);
  if (!isOpen(report)) return;
  say(call, `\n${renderTrust(report, view)}`);
  const { asker } = call.terminal;
  if (!asker) return say(call, 'Approve it with `zoo trust`.');
  // The hub serves while it waits for the answer; stopping it cancels the question.
  const aborted = new Promise<boolean>((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
  const yes = await Promise.race([
    confirm(asker, 'Approve it?'),
    hub.stopRequested.then(() => false),
    aborted,
  ]);
  if (!yes) return say(call, 'Not approved: nothing of it runs. `zoo trust` asks again.');
  await hub.operations.approveTrust({ body: { hash: report.hash } }, context);
  say(call, 'Approved. You will be asked again when any of this changes.');
}
