import { Failure } from '../../output/failure.ts';
import { print, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { countDiagnostics, renderDiagnostics } from '../../render/diagnostics.ts';
import { withClient } from '../../hub-access/with-client.ts';

/** Fails only for errors: with warnings and notes everything still works. */
export async function checkConfig(call: Invocation): Promise<void> {
  const { diagnostics } = await withClient(call, (client) => client.call('listDiagnostics', {}));
  print(call, { diagnostics }, () => renderDiagnostics(diagnostics, call));
  if (diagnostics.some(({ severity }) => severity === 'error'))
    throw new Failure(countDiagnostics(diagnostics));
  if (!call.json) say(call, diagnostics.length === 0 ? 'No problems found.' : countDiagnostics(diagnostics));
}
