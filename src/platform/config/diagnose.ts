import type { Diagnostic, DiagnosticCode, Severity } from '../../contract/diagnostic.ts';

type Where = Partial<Pick<Diagnostic, 'file' | 'line' | 'hint' | 'agentId' | 'workspace'>>;

/** Creates a diagnostic; missing location fields are null. */
export function diagnose(
  severity: Severity,
  code: DiagnosticCode,
  message: string,
  { file = null, line = null, hint = null, agentId = null, workspace = null }: Where = {},
): Diagnostic {
  return { severity, code, message, file, line, hint, agentId, workspace };
}
