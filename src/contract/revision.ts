import * as z from 'zod';

/** One field that differs, by path: `systemPrompt`, `skills.ts-expert.enabled`. Absent is null. */
export const FieldChange = z.strictObject({ path: z.string(), before: z.unknown(), after: z.unknown() });
export type FieldChange = z.infer<typeof FieldChange>;

export const RevisionAction = z.enum(['created', 'changed', 'deleted', 'undeleted', 'restored']);
export type RevisionAction = z.infer<typeof RevisionAction>;

export const Revision = z.strictObject({
  revision: z.int().min(1),
  action: RevisionAction,
  /** The paths of the fields that changed. */
  changes: z.array(z.string()),
  at: z.string(),
  surface: z.string(),
  caller: z.string(),
  /** A name that somebody gave it, such as "before the rewrite". */
  label: z.string().nullable(),
});
export type Revision = z.infer<typeof Revision>;
