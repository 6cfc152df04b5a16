import type { Hub } from '../../../hub/hub.ts';
import { isOpen } from '../commands/workspace/trust.ts';
import { say } from '../invocation.ts';
import type { Invocation } from '../invocation.ts';
import { countDiagnostics, renderDiagnostics } from '../render/diagnostics.ts';
import { renderTrust } from '../render/trust.ts';
import { confirm, paintFor } from '../output/terminal.ts';

const shownDiagnostics = 5;

/** What the operator should know about the workspace that `serve` was started in, and is asked about it. */
export async function reportState(call: Invocation, hub: Hub, signal: AbortSignal): Promise<void> {
  const context = hub.localContext(await hub.workspaceFor(undefined), signal);
  const paint = paintFor(call.terminal.err, call.env);
  const { diagnostics } = await hub.operations.listDiagnostics({}, context);
  const shown = diagnostics.filter(({ severity }) => severity !== 'note');
  if (shown.length > 0) {
    say(call, `\n${countDiagnostics(diagnostics)} in the files here:`);
    say(call, renderDiagnostics(shown.slice(0, shownDiagnostics), call.folder, paint));
    if (diagnostics.length > shownDiagnostics) say(call, 'All of them: zoo config check');
  }
  const report = await hub.operations.getTrust({}, context);
  if (!isOpen(report)) return;
  say(call, `\n${renderTrust(report, paint)}`);
  const { asker } = call.terminal;
  if (!asker) return say(call, 'Approve it with `zoo trust`.');
  // The hub serves while the question stands; stopping it withdraws the question.
  const aborted = new Promise<boolean>((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
  const yes = await Promise.race([
    confirm(asker, 'Let it run?'),
    hub.stopRequested.then(() => false),
    aborted,
  ]);
  if (!yes) return say(call, 'Nothing of it runs until `zoo trust`.');
  await hub.operations.approveTrust({ body: { hash: report.hash } }, context);
  say(call, 'Approved; it is asked again when one of these changes.');
}
