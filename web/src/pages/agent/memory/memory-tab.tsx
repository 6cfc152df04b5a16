import { Plus, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { BrainEntry } from '../../../../../src/contract/brain.ts';
import { useHubQuery, useKept } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { Empty, ErrorNote, Skeleton } from '../../../kit/feedback.tsx';
import { SearchInput } from '../../../kit/field.tsx';
import { formatCount } from '../../../kit/numbers.ts';
import { PlainSelect } from '../../../kit/selects/plain-select.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { EntryForm } from './entry-form.tsx';
import { MemoryEntry } from './memory-entry.tsx';

type Kind = BrainEntry['type'];
const LIMIT = 500;
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** What the agent remembers: pinned entries first, which are in every prompt, then a timeline. */
export function MemoryTab() {
  const { agent } = useAgentDraft();
  const [type, setType] = useState<Kind | 'all'>('all');
  const [tag, setTag] = useState('');
  const [typed, setTyped] = useState('');
  const [isAdding, setAdding] = useState(false);
  const q = useDeferredValue(typed).trim();
  const { data, error } = useHubQuery('queryBrain', {
    id: agent.id,
    limit: LIMIT,
    ...(type === 'all' ? {} : { type }),
    ...(tag === '' ? {} : { tags: [tag] }),
    ...(q === '' ? {} : { q }),
  });
  const answer = useKept(data);
  const entries = answer?.entries;
  const tags = [...new Set((entries ?? []).flatMap((entry) => entry.tags))].toSorted();
  const isFiltered = type !== 'all' || tag !== '' || q !== '';
  return (
    <div className="mx-auto grid grid-cols-[minmax(0,1fr)] max-w-3xl gap-6 px-4 py-6 sm:px-6">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          label="Search memory"
          placeholder="Search entries"
          icon={<Search />}
          value={typed}
          onChange={setTyped}
          className="w-full sm:w-56"
        />
        <PlainSelect
          label="Kind"
          value={type}
          options={[
            { value: 'all', label: 'All kinds' },
            { value: 'decision', label: 'Decisions' },
            { value: 'milestone', label: 'Milestones' },
            { value: 'note', label: 'Notes' },
            { value: 'summary', label: 'Summaries' },
          ]}
          onChange={setType}
        />
        {tags.length === 0 && tag === '' ? null : (
          <PlainSelect
            label="Tag"
            value={tag}
            options={[
              { value: '', label: 'All tags' },
              ...[...new Set([...(tag === '' ? [] : [tag]), ...tags])].map((each) => ({
                value: each,
                label: each,
              })),
            ]}
            onChange={setTag}
          />
        )}
        <Button icon={<Plus />} className="ml-auto" onClick={() => setAdding(true)}>
          Add entry
        </Button>
      </div>
      {isAdding ? <EntryForm agentId={agent.id} entry={null} onDone={() => setAdding(false)} /> : null}
      {error ? <ErrorNote error={error} /> : null}
      {entries === undefined ? (
        <Skeleton lines={6} />
      ) : entries.length === 0 && !isAdding ? (
        <Empty
          title={isFiltered ? 'No matching entries' : 'No memories yet'}
          {...(isFiltered
            ? {}
            : { command: `zoo brain add ${agent.id} "We deploy on Tuesdays" --type decision --pin` })}
        >
          {isFiltered
            ? 'Try other words, or show all kinds.'
            : 'Decisions, milestones and notes that last beyond a conversation. The agent adds them with its memory tools, and you can add them here. Pinned ones are included in every prompt.'}
        </Empty>
      ) : (
        <Timeline agentId={agent.id} entries={entries} total={answer?.total ?? entries.length} />
      )}
    </div>
  );
}

interface TimelineProps {
  agentId: string;
  entries: readonly BrainEntry[];
  total: number;
}

function Timeline({ agentId, entries, total }: TimelineProps) {
  const pinned = entries.filter((entry) => entry.pinned);
  const days = new Map<string, BrainEntry[]>();
  for (const entry of entries.filter((each) => !each.pinned)) {
    const title = day.format(new Date(entry.timestamp));
    days.set(title, [...(days.get(title) ?? []), entry]);
  }
  return (
    <div className="grid gap-7">
      {pinned.length === 0 ? null : (
        <Day title="Pinned, in every prompt" entries={pinned} agentId={agentId} />
      )}
      {[...days].map(([title, ofDay]) => (
        <Day key={title} title={title} entries={ofDay} agentId={agentId} />
      ))}
      {total > entries.length ? (
        <p className="text-sm text-soft tabular">
          The newest {formatCount(entries.length, 'entry', 'entries')} of {total}. Search to find earlier
          ones.
        </p>
      ) : null}
    </div>
  );
}

function Day({
  title,
  entries,
  agentId,
}: {
  title: string;
  entries: readonly BrainEntry[];
  agentId: string;
}) {
  return (
    <section aria-label={title} className="grid gap-1">
      <h2 className="text-xs text-faint">{title}</h2>
      <ul className="border-t border-line">
        {entries.map((entry) => (
          <MemoryEntry key={entry.id} entry={entry} agentId={agentId} />
        ))}
      </ul>
    </section>
  );
}
