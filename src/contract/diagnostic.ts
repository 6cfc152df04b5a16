import * as z from 'zod';

export const Severity = z.enum(['error', 'warning', 'note']);
export type Severity = z.infer<typeof Severity>;

export const DiagnosticCode = z.enum([
  'unreadable',
  'syntax',
  'unknown-key',
  'invalid-value',
  'unset-variable',
  'duplicate-id',
  'reserved-id',
  'unknown-argument',
  'unknown-tool',
  'unknown-agent',
  'duplicate-tool',
  'group-cycle',
  'missing-requirement',
  'not-published',
  'unknown-source',
  'duplicate-source',
  'misplaced-section',
  'ignored-section',
  'not-available',
  'untrusted',
  'not-an-agent',
  'script-error',
  'store-error',
]);
export type DiagnosticCode = z.infer<typeof DiagnosticCode>;

/** A mistake in a user's file, or a note about it: where it is, and what is used instead. */
export const Diagnostic = z.strictObject({
  severity: Severity,
  code: DiagnosticCode,
  message: z.string(),
  file: z.string().nullable(),
  line: z.int().min(1).nullable(),
  /** What is served instead, or how to fix it. */
  hint: z.string().nullable(),
  agentId: z.string().nullable(),
  workspace: z.string().nullable(),
});
export type Diagnostic = z.infer<typeof Diagnostic>;
