import { useNavigate, useSearch } from '@tanstack/react-router';
import { Play, Plus } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useHubQuery } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, ErrorNote } from '../../kit/feedback.tsx';
import { TextArea } from '../../kit/field.tsx';
import { Page } from '../../kit/page.tsx';
import { CompareColumn } from './compare-column.tsx';
import { type CompareSearch, type Contestant, readContestant, writeContestant } from './compare-search.ts';

const places = ['a', 'b', 'c'] as const;

/** A prompt that was sent to all columns. The number tells a second press from the first. */
export interface SentPrompt {
  text: string;
  number: number;
}

/** One prompt, two or three answers side by side: of agents, of revisions, of models. */
export function ComparePage() {
  const search = useSearch({ from: '/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const { data, error } = useHubQuery('listAgents', {});
  const agents = data?.agents ?? [];
  const [prompt, setPrompt] = useState('');
  const [sent, setSent] = useState<SentPrompt | null>(null);
  const columns = columnsOf(search, agents[0]?.id);
  const change = (next: readonly Contestant[]): void => {
    const texts = Object.fromEntries(
      places.map((place, index) => [place, next[index] && writeContestant(next[index])]),
    );
    void navigate({ search: texts, replace: true });
  };
  const run = (): void => {
    if (prompt.trim() !== '') setSent({ text: prompt, number: (sent?.number ?? 0) + 1 });
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run();
  };
  const last = columns.at(-1);
  return (
    <Page
      title="Compare"
      about="One prompt, two or three answers side by side: of agents, of revisions or of models."
    >
      {error ? <ErrorNote error={error} /> : null}
      {data && agents.length === 0 ? (
        <Empty title="No agents yet" command="zoo agent create">
          A comparison needs an agent.
        </Empty>
      ) : (
        <div className="grid gap-6">
          <div className="grid max-w-3xl gap-2">
            <TextArea
              aria-label="Prompt"
              className="!text-base"
              placeholder="The prompt for all columns"
              value={prompt}
              onChange={({ target }) => setPrompt(target.value)}
              onKeyDown={keys}
            />
            <div className="flex gap-2">
              <Button look="primary" icon={<Play />} disabled={prompt.trim() === ''} onClick={run}>
                Run side by side
              </Button>
              {columns.length < places.length && last ? (
                <Button icon={<Plus />} onClick={() => change([...columns, last])}>
                  Add a column
                </Button>
              ) : null}
            </div>
          </div>
          <div
            className={`grid border-t border-line ${columns.length === 3 ? 'lg:grid-cols-3' : 'lg:grid-cols-2'}`}
          >
            {columns.map((contestant, index) => (
              <CompareColumn
                key={places[index]}
                name={`Column ${index + 1}`}
                contestant={contestant}
                agents={agents}
                sent={sent}
                onChange={(next) => change(columns.with(index, next))}
                {...(columns.length > 2 ? { onRemove: () => change(columns.toSpliced(index, 1)) } : {})}
              />
            ))}
          </div>
        </div>
      )}
    </Page>
  );
}

/** Two at least: a column that the address leaves out is like the first. */
function columnsOf({ a, b, c }: CompareSearch, fallback: string | undefined): Contestant[] {
  const first = a ?? fallback;
  if (first === undefined) return [];
  return [first, b ?? first, ...(c === undefined ? [] : [c])].map(readContestant);
}
