import type { Diagnostic } from '../../../contract/diagnostic.ts';
import { terminalLine } from '../../../platform/text/terminal-text.ts';
import type { View } from '../invocation.ts';
import { wrapMessage } from '../output/wrap-message.ts';
import { indent, plural, shortPath, wrap } from './layout.ts';

const colours = { error: 'alert', warning: 'warning', note: 'bold' } as const;

/** `file:line: severity: message`, the form that editors and CI turn into links. */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  { folder, paint, columns }: View,
): string {
  return diagnostics
    .flatMap(({ severity, message, file, line, hint }) => {
      const where =
        file === null ? '' : `${terminalLine(shortPath(file, folder))}${line === null ? '' : `:${line}`}: `;
      return [
        hang(
          `${where}${paint(colours[severity], severity)}: ${indent(message, '    ').trimStart()}`,
          columns,
        ),
        ...(hint === null ? [] : [wrap(hint, columns, '    ')]),
      ];
    })
    .map((text) => `${text}\n`)
    .join('');
}

/** Wraps at words; later lines are indented. */
function hang(text: string, columns: number): string {
  const [first = '', ...rest] = wrapMessage(text, columns - 4).split('\n');
  return [first, ...rest.map((line) => (line.startsWith('    ') ? line : `    ${line}`))].join('\n');
}

export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  return (['error', 'warning', 'note'] as const)
    .map((severity) => [diagnostics.filter((one) => one.severity === severity).length, severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => plural(count, word))
    .join(', ');
}
