import type { TrustReport } from '../../../contract/workspace.ts';
import type { Paint } from '../output/terminal.ts';
import { alignColumns, printable } from './layout.ts';

const states: Record<TrustReport['state'], string> = {
  own: 'is your own config: nothing to approve',
  trusted: 'is trusted',
  changed: 'has changed since you approved it: nothing of it runs until you approve it again',
  untrusted: 'is not trusted: its agents are read, but nothing of it runs',
  'nothing-to-trust': 'brings nothing along that would run or connect',
};

/** Everything of a workspace that would run or connect, as its config says it. */
export function renderTrust({ path, state, runnables }: TrustReport, paint: Paint): string {
  const rows = alignColumns(
    runnables.map(({ kind, name, detail, grants }) => [
      `  ${kind}`,
      printable(name),
      printable(detail) + (grants.length > 0 ? `  (may use ${printable(grants.join(', '))})` : ''),
    ]),
    [18, 32],
  );
  const heading = `${paint('bold', path)} ${states[state]}`;
  return [heading, ...(rows.length > 0 ? ['It would run or connect to:', ...rows] : [])].join('\n');
}
