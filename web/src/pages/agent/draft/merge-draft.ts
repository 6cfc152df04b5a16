import type { Agent, AgentDefinition } from '../../../../../src/contract/agent.ts';

export type FieldName = keyof AgentDefinition;

/** The unsaved fields of one agent in one window, and the saved version that they were written over. */
export interface Draft {
  /** The revision that the fields are based on. */
  revision: number;
  /** The saved values of those fields at that revision: what a merge compares with. */
  base: Partial<AgentDefinition>;
  fields: Partial<AgentDefinition>;
}

/** A field that was changed here and elsewhere since the draft was begun, to different values. */
export interface Conflict {
  field: FieldName;
  base: unknown;
  theirs: unknown;
  mine: unknown;
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export const fieldsOf = (draft: Draft | null): FieldName[] =>
  Object.keys(draft?.fields ?? {}).filter((name): name is FieldName => name !== '');

/** Fields changed on both sides. Where only one side changed a field, that change simply stands. */
export function findConflicts(saved: Agent, draft: Draft): Conflict[] {
  if (saved.revision === draft.revision) return [];
  return fieldsOf(draft).flatMap((field) => {
    const [base, theirs, mine] = [draft.base[field], saved[field], draft.fields[field]];
    return isSame(base, theirs) || isSame(mine, theirs) ? [] : [{ field, base, theirs, mine }];
  });
}

/** The draft moved to the newest revision, as if it had been begun on it. */
export function rebaseDraft(saved: Agent, draft: Draft): Draft {
  const names = fieldsOf(draft).filter((field) => !isSame(saved[field], draft.fields[field]));
  return {
    revision: saved.revision,
    base: Object.fromEntries(names.map((field) => [field, saved[field]])),
    fields: Object.fromEntries(names.map((field) => [field, draft.fields[field]])),
  };
}

/** The draft with one more field; a field that is as saved leaves it. */
export function withField<F extends FieldName>(
  saved: Agent,
  draft: Draft | null,
  field: F,
  value: AgentDefinition[F],
): Draft {
  const { revision, base, fields } = draft ?? { revision: saved.revision, base: {}, fields: {} };
  const { [field]: _dropped, ...others } = fields;
  const began = field in fields ? base[field] : saved[field];
  if (isSame(value, saved[field])) return { revision, base, fields: others };
  return { revision, base: { ...base, [field]: began }, fields: { ...others, [field]: value } };
}

/** The draft with one field as it was in an earlier draft. */
export function takeField(field: FieldName, from: Draft | null, draft: Draft | null): Draft | null {
  const start = draft ?? from;
  if (!start) return null;
  const { [field]: _base, ...bases } = draft?.base ?? {};
  const { [field]: _value, ...values } = draft?.fields ?? {};
  if (!from || !(field in from.fields)) return { revision: start.revision, base: bases, fields: values };
  return {
    revision: Math.min(start.revision, from.revision),
    base: { ...bases, [field]: from.base[field] },
    fields: { ...values, [field]: from.fields[field] },
  };
}

/** The part of an agent that its author writes. */
export function definitionOf(agent: Agent): AgentDefinition {
  const { id: _id, source: _source, origin: _origin, revision: _revision, ...rest } = agent;
  const { createdAt: _created, updatedAt: _updated, ...definition } = rest;
  return definition;
}
