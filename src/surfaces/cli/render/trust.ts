import type { TrustReport } from '../../../contract/workspace.ts';
import { terminalLine } from '../../../platform/text/terminal-text.ts';
import type { View } from '../invocation.ts';
import { renderChanges } from './diff.ts';
import { wrapMessage } from '../output/wrap-message.ts';
import { wrap } from './layout.ts';

const states: Record<TrustReport['state'], string> = {
  own: 'is your own config: nothing to approve',
  trusted: 'is approved',
  changed: 'has changed since you approved it: nothing of it runs until you approve it again',
  untrusted: 'is not approved: its agents are listed, but nothing of it runs',
  'nothing-to-trust': 'has nothing that would run or connect',
};

/**
 * Everything that a workspace would run or connect to, as written in its config. Nothing is cut, because an
 * approval must be based on the full text. Long lines are wrapped and indented.
 */
export function renderTrust({ path, state, runnables, changes = [] }: TrustReport, view: View): string {
  const { paint, columns } = view;
  const heading = wrapMessage(`${paint('bold', terminalLine(path))} ${states[state]}`, columns);
  const entries = runnables.map(({ kind, name, detail, grants }) => {
    const more = grants.length > 0 ? `  (${grants.join(', ')})` : '';
    const text = wrap(terminalLine(`${detail}${more}`), columns, '      ');
    return `  ${kind} ${paint('bold', terminalLine(name))}\n${text}`;
  });
  return [
    heading,
    ...(entries.length > 0 ? ['It would run or connect to:', ...entries] : []),
    ...(changes.length > 0
      ? ['', 'Changed since it was approved:', renderChanges(changes, paint).trimEnd()]
      : []),
  ].join('\n');
}
