import { CircleStop, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AgentSummary } from '../../../../src/contract/agent.ts';
import { Creature } from '../../creature/creature.tsx';
import { useHubQuery } from '../../data/queries.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { formatUsd } from '../../kit/money.ts';
import { formatDuration, formatNumber } from '../../kit/numbers.ts';
import { PlainSelect } from '../../kit/selects/plain-select.tsx';
import { ContextSheet } from '../../runs/context-sheet.tsx';
import { RunAnswer } from '../../runs/run-answer.tsx';
import { isOver } from '../../runs/run-view.ts';
import { type FollowedRun, useRun } from '../../runs/use-run.ts';
import { ModelPicker } from '../chat/model-picker.tsx';
import type { SentPrompt } from './compare-page.tsx';
import type { Contestant } from './compare-search.ts';

interface ColumnProps {
  name: string;
  contestant: Contestant;
  agents: readonly AgentSummary[];
  sent: SentPrompt | null;
  onChange: (next: Contestant) => void;
  onRemove?: () => void;
}

export function CompareColumn({ name, contestant, agents, sent, onChange, onRemove }: ColumnProps) {
  const { agent, revision, model } = contestant;
  const followed = useRun();
  const started = useRef(0);
  useEffect(() => {
    if (sent === null || sent.number === started.current) return;
    started.current = sent.number;
    followed.start({
      agent,
      prompt: sent.text,
      ...(revision === null ? {} : { revision }),
      ...(model === null ? {} : { model }),
    });
  });
  const summary = agents.find(({ id }) => id === agent);
  return (
    <section
      aria-label={name}
      className="grid min-w-0 grid-cols-1 content-start gap-4 border-b border-line py-4 lg:border-r lg:px-5 lg:first:pl-0 lg:last:border-r-0"
    >
      <div className="flex items-start gap-3">
        <Creature seed={summary?.appearanceSeed ?? agent} size={40} mood={moodOf(followed)} />
        <div className="flex min-w-0 flex-1 flex-wrap gap-2">
          <PlainSelect
            label={`Agent of ${name.toLowerCase()}`}
            value={agent}
            options={agents.map((each) => ({ value: each.id, label: each.name }))}
            onChange={(next) => onChange({ ...contestant, agent: next, revision: null })}
          />
          <RevisionPicker name={name} contestant={contestant} onChange={onChange} />
          <ModelPicker
            label={`Model of ${name.toLowerCase()}`}
            value={model}
            onChange={(next) => onChange({ ...contestant, model: next })}
          />
        </div>
        {onRemove ? (
          <IconButton label={`Remove ${name.toLowerCase()}`} small onClick={onRemove}>
            <X />
          </IconButton>
        ) : null}
      </div>
      <Answer followed={followed} />
    </section>
  );
}

const NEWEST = 'newest';

function RevisionPicker({
  name,
  contestant,
  onChange,
}: Pick<ColumnProps, 'name' | 'contestant' | 'onChange'>) {
  const { data } = useHubQuery('agentHistory', { id: contestant.agent });
  const revisions = data?.revisions ?? [];
  if (revisions.length === 0) return null;
  return (
    <PlainSelect
      label={`Revision of ${name.toLowerCase()}`}
      value={contestant.revision === null ? NEWEST : String(contestant.revision)}
      options={[
        { value: NEWEST, label: 'Newest revision' },
        ...revisions.map(({ revision }) => ({ value: String(revision), label: `Revision ${revision}` })),
      ]}
      onChange={(next) => onChange({ ...contestant, revision: next === NEWEST ? null : Number(next) })}
    />
  );
}

function Answer({ followed }: { followed: FollowedRun }) {
  const { run, id, durationMs, error, cancel } = followed;
  const [context, setContext] = useState<string | null>(null);
  if (run === null) return <p className="text-sm text-soft">No answer yet.</p>;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <dl className="grid grid-cols-4 gap-3 text-xs text-soft" aria-label="Figures">
        <Figure title="Tokens in" value={run.usage === null ? '–' : formatNumber(run.usage.inputTokens)} />
        <Figure title="Tokens out" value={run.usage === null ? '–' : formatNumber(run.usage.outputTokens)} />
        <Figure title="Cost" value={run.usage === null ? '–' : formatUsd(run.usage.usd)} />
        <Figure title="Time" value={durationMs === null ? '–' : formatDuration(durationMs)} />
      </dl>
      <RunAnswer run={run} />
      {run.error || error ? <ErrorNote error={error ?? new Error(run.error?.message)} /> : null}
      <div className="flex gap-2">
        {isOver(run) ? (
          <Button small look="quiet" onClick={() => setContext(id)}>
            Context
          </Button>
        ) : (
          <Button small icon={<CircleStop />} onClick={cancel}>
            Stop
          </Button>
        )}
      </div>
      <ContextSheet runId={context} onClose={() => setContext(null)} />
    </div>
  );
}

function Figure({ title, value }: { title: string; value: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className="text-sm text-ink tabular">{value}</dd>
    </div>
  );
}

function moodOf({ run }: FollowedRun) {
  if (run === null) return 'awake';
  if (!isOver(run)) return 'working';
  return run.state === 'completed' ? 'awake' : 'unwell';
}
