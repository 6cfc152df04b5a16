import { Tag } from 'lucide-react';
import { useState } from 'react';
import type { Revision } from '../../../../../src/contract/revision.ts';
import { invalidate, useHubMutation } from '../../../data/queries.ts';
import { ErrorNote } from '../../../kit/feedback.tsx';
import { TextInput } from '../../../kit/field.tsx';
import { notify } from '../../../kit/toasts.tsx';

/** The name of a revision, given and changed in place. */
export function RevisionLabel({ agentId, revision }: { agentId: string; revision: Revision }) {
  const [text, setText] = useState<string | null>(null);
  const { mutate, error } = useHubMutation('labelRevision');
  const { revision: number, label } = revision;
  const write = (next: string | null, then?: () => void): void =>
    mutate(
      { id: agentId, revision: number, body: { label: next } },
      {
        onSuccess: () => {
          invalidate(['agentHistory']);
          then?.();
        },
      },
    );
  const save = (): void => {
    setText(null);
    const next = text?.trim() === '' ? null : (text?.trim() ?? label);
    if (next === label) return;
    const said = next === null ? `Removed the label of revision ${number}.` : `Labelled revision ${number}.`;
    write(next, () => notify(said, () => write(label)));
  };
  if (text === null) {
    return (
      <>
        <button
          type="button"
          onClick={() => setText(label ?? '')}
          aria-label={label === null ? `Add a label to revision ${number}` : `Change the label ${label}`}
          className={`inline-flex items-center gap-1.5 rounded-sm text-xs ${label === null ? 'text-faint hover:text-ink' : 'font-medium text-leaf-strong'}`}
        >
          <Tag className="size-3" />
          {label ?? 'Add a label'}
        </button>
        {error ? <ErrorNote error={error} /> : null}
      </>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextInput
        aria-label={`Label of revision ${number}`}
        className="my-1 !h-7 max-w-64 text-xs"
        maxLength={80}
        value={text}
        ref={(input) => input?.focus()}
        onChange={({ target }) => setText(target.value)}
        onBlur={save}
        onKeyDown={({ key }) => {
          if (key === 'Escape') setText(null);
        }}
      />
    </form>
  );
}
