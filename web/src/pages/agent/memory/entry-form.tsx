import { type SubmitEvent, useState } from 'react';
import type { BrainEntry } from '../../../../../src/contract/brain.ts';
import { useHubMutation } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { ErrorNote } from '../../../kit/feedback.tsx';
import { Field, TextArea, TextInput } from '../../../kit/field.tsx';
import { Segments } from '../../../kit/segments.tsx';

type Kind = BrainEntry['type'];
const kinds: readonly { value: Kind; label: string }[] = [
  { value: 'note', label: 'Note' },
  { value: 'decision', label: 'Decision' },
  { value: 'milestone', label: 'Milestone' },
  { value: 'summary', label: 'Summary' },
];

interface EntryFormProps {
  agentId: string;
  /** Null for a new one. */
  entry: BrainEntry | null;
  onDone: () => void;
}

export function EntryForm({ agentId, entry, onDone }: EntryFormProps) {
  const [type, setType] = useState<Kind>(entry?.type ?? 'note');
  const [content, setContent] = useState(entry?.content ?? '');
  const [tags, setTags] = useState(entry?.tags.join(', ') ?? '');
  const [pinned, setPinned] = useState(entry?.pinned ?? false);
  const create = useHubMutation('createBrainEntry');
  const patch = useHubMutation('patchBrainEntry');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const list = tags
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean);
    const body = { type, content, pinned, tags: list };
    if (entry === null) create.mutate({ id: agentId, body }, { onSuccess: onDone });
    else patch.mutate({ id: agentId, entryId: entry.id, body }, { onSuccess: onDone });
  };
  const failure = create.error ?? patch.error;
  return (
    <form
      onSubmit={submit}
      aria-label={entry === null ? 'New entry' : 'Edit the entry'}
      className="grid gap-3 border-l-2 border-leaf pl-4"
    >
      <Segments label="Kind of entry" value={type} options={kinds} onChange={setType} />
      <Field label="Text" hint="What to remember, in a sentence or two.">
        {(ids) => (
          <TextArea
            {...ids}
            autoFocus
            required
            value={content}
            onChange={({ target }) => setContent(target.value)}
          />
        )}
      </Field>
      <Field label="Tags" hint="Separated by commas.">
        {(ids) => <TextInput {...ids} value={tags} onChange={({ target }) => setTags(target.value)} />}
      </Field>
      <Checkbox label="Pinned: included in every prompt" checked={pinned} onChange={setPinned} />
      {failure ? <ErrorNote error={failure} /> : null}
      <div className="flex gap-2">
        <Button
          type="submit"
          look="primary"
          disabled={content.trim() === '' || create.isPending || patch.isPending}
        >
          {entry === null ? 'Add to memory' : 'Save entry'}
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
