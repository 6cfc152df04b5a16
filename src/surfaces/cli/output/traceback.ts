import type { ZooError } from '../../../contract/errors.ts';
import { ScriptTrace } from '../../../contract/resolved.ts';
import { say } from '../invocation.ts';
import type { Invocation } from '../invocation.ts';
import { printable } from '../render/layout.ts';
import { renderLogs } from '../render/resolved.ts';

/** What a script had said before it failed, and the way to where it did. */
export function sayTraceback(call: Invocation, { details = {} }: ZooError): void {
  const lines = ScriptTrace.shape.logs.safeParse(details.logs).data ?? [];
  if (lines.length > 0) say(call, renderLogs(lines));
  const frames: unknown[] = Array.isArray(details.traceback) ? details.traceback : [];
  if (frames.length > 0)
    say(call, ['Traceback:', ...frames.map((frame) => `  ${printable(String(frame))}`)].join('\n'));
}
