import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Agent, AgentDefinition } from '../../../../../src/contract/agent.ts';
import { ZooError } from '../../../../../src/contract/errors.ts';
import { call } from '../../../data/hub.ts';
import { notify } from '../../../kit/toasts.tsx';
import { fieldWords } from './field-words.ts';
import { adoptDraft, readDraft, writeDraft } from './draft-store.ts';
import {
  type Conflict,
  type Draft,
  fieldsOf,
  type FieldName,
  findConflicts,
  isSame,
  rebaseDraft,
  withField,
} from './merge-draft.ts';
import { type Undo, type UndoToasts, useUndoToasts } from './undo-toasts.ts';

export interface AgentDraft {
  /** As saved. */
  agent: Agent;
  /** With the unsaved fields over it. */
  draft: Agent;
  changed: readonly FieldName[];
  conflicts: readonly Conflict[];
  /** False for agents that live in files. */
  canEdit: boolean;
  /** `said` is the toast for what takes something away, as in `offerUndo`. */
  set<F extends FieldName>(field: F, value: AgentDefinition[F], said?: string): void;
  /** Offers to take back the last change of a field, until it changes again. */
  offerUndo(said: string): void;
  /** Keeps the field as it is here, though it was changed elsewhere. */
  keep(field: FieldName): void;
  /** Several fields at once, as from an old revision. */
  fill(fields: Partial<AgentDefinition>): void;
  discard(field?: FieldName): void;
  save(): Promise<void>;
  isSaving: boolean;
  error: Error | null;
}

const Context = createContext<AgentDraft | null>(null);

/** The agent of this page and the draft of it. */
export function useAgentDraft(): AgentDraft {
  const value = useContext(Context);
  if (!value) throw new Error('useAgentDraft is for tabs of the agent page');
  return value;
}

export function AgentDraftProvider({ agent, children }: { agent: Agent; children: ReactNode }) {
  const [stored, change] = useStoredDraft(agent.id);
  const undoToasts = useUndoToasts(change);
  const saving = useSaving(agent, stored, change, undoToasts);
  const last = useRef<Omit<Undo, 'said'>>(null);
  const value = useMemo((): AgentDraft => {
    const offerUndo = (said: string): void => {
      if (last.current) undoToasts.offer({ ...last.current, said });
    };
    return {
      agent,
      draft: { ...agent, ...stored?.fields },
      changed: fieldsOf(stored),
      conflicts: stored ? findConflicts(agent, stored) : [],
      canEdit: agent.source === 'editor',
      set(field, next, said) {
        const earlier = undoToasts.remove(field);
        change((before) => {
          last.current = { field, before, earlier };
          return withField(agent, before, field, next);
        });
        if (said !== undefined) offerUndo(said);
      },
      offerUndo,
      keep: (field) => {
        undoToasts.remove(field);
        change((now) => now && { ...now, base: { ...now.base, [field]: agent[field] } });
      },
      fill: (next) => {
        undoToasts.remove();
        change((before) => fillDraft(agent, before, next));
      },
      discard: (field) => {
        const earlier = undoToasts.remove(field);
        change((now) => (field === undefined || !now ? null : withField(agent, now, field, agent[field])));
        const what = field === undefined ? 'the draft' : `the change of ${fieldWords[field].toLowerCase()}`;
        undoToasts.offer({ said: `Discarded ${what}.`, field, before: stored, earlier });
      },
      ...saving,
    };
  }, [agent, stored, change, undoToasts, saving]);
  return <Context value={value}>{children}</Context>;
}

function fillDraft(agent: Agent, before: Draft | null, next: Partial<AgentDefinition>): Draft {
  const start = before ?? { revision: agent.revision, base: {}, fields: {} };
  const base = Object.fromEntries(Object.keys(next).map((name) => [name, Reflect.get(agent, name)]));
  const fields = Object.fromEntries(
    Object.entries({ ...start.fields, ...next }).filter(
      ([name, value]) => !isSame(value, Reflect.get(agent, name)),
    ),
  );
  return { revision: start.revision, base: { ...start.base, ...base }, fields };
}

type ChangeDraft = (next: (before: Draft | null) => Draft | null) => void;

/** The draft in memory and in storage. Every keystroke is stored at once: there is nothing to lose in between. */
function useStoredDraft(agentId: string): [Draft | null, ChangeDraft] {
  const [draft, setDraft] = useState(() => readDraft(agentId));
  const latest = useRef(draft);
  const change = useCallback<ChangeDraft>(
    (next) => {
      const made = next(latest.current);
      latest.current = made !== null && fieldsOf(made).length === 0 ? null : made;
      writeDraft(agentId, latest.current);
      setDraft(latest.current);
    },
    [agentId],
  );
  useEffect(() => {
    const adopt = async (): Promise<void> => {
      const adopted = await adoptDraft(agentId);
      if (adopted && !latest.current) change(() => adopted);
    };
    void adopt();
  }, [agentId, change]);
  return [draft, change];
}

type Saving = Pick<AgentDraft, 'save' | 'isSaving' | 'error'>;

function useSaving(agent: Agent, stored: Draft | null, change: ChangeDraft, undoToasts: UndoToasts): Saving {
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  return useMemo(
    () => ({
      isSaving,
      error,
      async save() {
        if (!stored || findConflicts(agent, stored).length > 0) return;
        setSaving(true);
        setError(null);
        try {
          const { saved, sent } = await saveMerged(agent, stored);
          undoToasts.remove();
          change((now) => now && rebaseDraft({ ...saved, ...sent }, now));
          const undo = (): void =>
            void call('restoreAgent', { id: agent.id, body: { revision: saved.revision - 1 } });
          notify(`Saved revision ${saved.revision}.`, undo);
        } catch (failure) {
          // The header shows a conflict as soon as the event of the other change has arrived.
          if (!isConflict(failure)) setError(failure instanceof Error ? failure : new Error(String(failure)));
        } finally {
          setSaving(false);
        }
      },
    }),
    [agent, stored, change, undoToasts, isSaving, error],
  );
}

const isConflict = (failure: unknown): boolean => failure instanceof ZooError && failure.code === 'conflict';

/**
 * Saves the draft over the newest revision. The agent may have changed a moment ago: where that concerned other
 * fields, the two changes are merged; where it concerned the same, the hub's `conflict` stands.
 */
async function saveMerged(
  agent: Agent,
  draft: Draft,
): Promise<{ saved: Agent; sent: Partial<AgentDefinition> }> {
  const { fields } = rebaseDraft(agent, draft);
  const { id, revision } = agent;
  try {
    return { saved: await call('patchAgent', { id, body: { ...fields, revision } }), sent: fields };
  } catch (failure) {
    if (!isConflict(failure)) throw failure;
    const newest = await call('getAgent', { id });
    if (newest.revision === revision || findConflicts(newest, draft).length > 0) throw failure;
    return saveMerged(newest, draft);
  }
}
