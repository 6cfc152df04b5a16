import type { ZooError } from '../../../contract/errors.ts';
import { ScriptTrace } from '../../../contract/resolved.ts';
import { errorView, say } from '../invocation.ts';
import type { Invocation } from '../invocation.ts';
import { terminalLine } from '../../../platform/text/terminal-text.ts';
import { renderLogs } from '../render/resolved.ts';

/** The log and the stack trace of a script that failed. */
export function sayTraceback(call: Invocation, { details = {} }: ZooError): void {
  const lines = ScriptTrace.shape.logs.safeParse(details.logs).data ?? [];
  if (lines.length > 0) say(call, renderLogs(lines, errorView(call)));
  const frames: unknown[] = Array.isArray(details.traceback) ? details.traceback : [];
  if (frames.length > 0)
    say(call, ['Traceback:', ...frames.map((frame) => `  ${terminalLine(String(frame))}`)].join('\n'));
}
