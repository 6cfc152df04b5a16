import { Flag, Gavel, NotebookText, Pencil, Pin, PinOff, ScrollText, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { BrainEntry } from '../../../../../src/contract/brain.ts';
import { call } from '../../../data/hub.ts';
import { useHubMutation } from '../../../data/queries.ts';
import { IconButton } from '../../../kit/button.tsx';
import { Badge, ErrorNote } from '../../../kit/feedback.tsx';
import { formatAgo, formatMoment } from '../../../kit/numbers.ts';
import { notify } from '../../../kit/toasts.tsx';
import { EntryForm } from './entry-form.tsx';

const icons: Record<BrainEntry['type'], ReactNode> = {
  decision: <Gavel />,
  milestone: <Flag />,
  note: <NotebookText />,
  summary: <ScrollText />,
};

/** One thing that the agent remembers, changed where it stands. */
export function MemoryEntry({ entry, agentId }: { entry: BrainEntry; agentId: string }) {
  const [isEditing, setEditing] = useState(false);
  const pin = useHubMutation('pinBrainEntry');
  const remove = useHubMutation('deleteBrainEntry');
  const { id, type, content, pinned, tags, timestamp, metadata } = entry;
  const at = { id: agentId, entryId: id };
  const takeAway = (): void =>
    remove.mutate(at, {
      onSuccess: () => notify('Deleted the entry.', () => void call('undeleteBrainEntry', at)),
    });
  if (isEditing) {
    return (
      <li className="border-b border-line py-3">
        <EntryForm agentId={agentId} entry={entry} onDone={() => setEditing(false)} />
      </li>
    );
  }
  const failure = pin.error ?? remove.error;
  return (
    <li className="group flex gap-3 border-b border-line py-3">
      <span className="mt-1 text-soft [&_svg]:size-4">{icons[type]}</span>
      <div className="min-w-0 flex-1">
        <p className="text-base break-words whitespace-pre-line">{content}</p>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-xs text-faint">
          <span className="capitalize">{type}</span>
          <time dateTime={timestamp} title={formatMoment(timestamp)}>
            {formatAgo(timestamp)}
          </time>
          <span>via {metadata.source}</span>
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
        {failure ? <ErrorNote error={failure} /> : null}
      </div>
      <div className="flex shrink-0 items-start gap-0.5">
        <IconButton
          label={pinned ? 'Unpin' : 'Pin into every prompt'}
          small
          aria-pressed={pinned}
          disabled={pin.isPending}
          onClick={() => pin.mutate({ ...at, body: { pinned: !pinned } })}
        >
          {pinned ? <PinOff /> : <Pin />}
        </IconButton>
        <IconButton label="Edit" small onClick={() => setEditing(true)}>
          <Pencil />
        </IconButton>
        <IconButton label="Delete" small disabled={remove.isPending} onClick={takeAway}>
          <Trash2 />
        </IconButton>
      </div>
    </li>
  );
}
