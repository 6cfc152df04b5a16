import type { Diagnostic } from '../../../contract/diagnostic.ts';
import type { Paint } from '../output/terminal.ts';
import { plural, shortPath } from './layout.ts';

const colours = { error: 'red', warning: 'yellow', note: 'dim' } as const;

/** `file:line: severity: message`, the form that editors and CI make links of. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], folder: string, paint: Paint): string {
  return diagnostics
    .flatMap(({ severity, message, file, line, hint }) => {
      const where = file === null ? '' : `${shortPath(file, folder)}${line === null ? '' : `:${line}`}: `;
      return [
        `${where}${paint(colours[severity], severity)}: ${message}`,
        ...(hint === null ? [] : [`    ${hint}`]),
      ];
    })
    .map((text) => `${text}\n`)
    .join('');
}

export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const of = (severity: Diagnostic['severity']) =>
    diagnostics.filter((one) => one.severity === severity).length;
  return [[of('error'), 'error'] as const, [of('warning'), 'warning'] as const, [of('note'), 'note'] as const]
    .filter(([count]) => count > 0)
    .map(([count, word]) => plural(count, word))
    .join(', ');
}
