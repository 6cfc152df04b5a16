import type { Diagnostic, DiagnosticCode } from '../contract/diagnostic.ts';

/** Errors that may keep an agent with an unknown id out of the list. */
const OF_UNKNOWN_AGENTS: ReadonlySet<DiagnosticCode> = new Set([
  'unreadable',
  'syntax',
  'invalid-value',
  'reserved-id',
  'not-an-agent',
]);

/**
 * Errors behind agents that are missing from a list of ids. An agent with an earlier version is listed with its error;
 * these have none, or are in a config that is broken.
 */
export function whyMissing(diagnostics: readonly Diagnostic[], listed: ReadonlySet<string>): Diagnostic[] {
  return diagnostics.filter(({ severity, code, agentId, file }) => {
    if (severity !== 'error') return false;
    if (agentId === null) return OF_UNKNOWN_AGENTS.has(code);
    return !listed.has(agentId) || (code === 'syntax' && file?.endsWith('.toml') === true);
  });
}
