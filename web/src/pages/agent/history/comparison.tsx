import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { Agent } from '../../../../../src/contract/agent.ts';
import { useHubQuery } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { ErrorNote, Skeleton } from '../../../kit/feedback.tsx';
import { PlainSelect } from '../../../kit/selects/plain-select.tsx';
import { Segments } from '../../../kit/segments.tsx';
import { TextDiff } from '../../../kit/editor/text-diff.tsx';
import { notify } from '../../../kit/toasts.tsx';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { asText, fieldWords } from '../draft/field-words.ts';
import { definitionOf, type FieldName, isSame } from '../draft/merge-draft.ts';

export type Side = number | 'draft';

interface ComparisonProps {
  from: Side;
  to: Side;
  onChoose: (sides: { from: Side; to: Side }) => void;
  onClose: () => void;
}

const fields = Object.keys(fieldWords).filter((name): name is FieldName => name in fieldWords);

/** Two versions of an agent: a summary by part, then each part that differs. */
export function Comparison({ from, to, onChoose, onClose }: ComparisonProps) {
  const { agent, fill, canEdit } = useAgentDraft();
  const left = useVersion(from);
  const right = useVersion(to);
  const [layout, setLayout] = useState<'unified' | 'split'>('unified');
  const error = left.error ?? right.error;
  const differing =
    left.version && right.version
      ? fields.filter((field) => !isSame(left.version?.[field], right.version?.[field]))
      : [];
  const restore = (): void => {
    const { version } = left;
    if (!version) return;
    fill(definitionOf(version));
    notify(`The draft is now revision ${String(from)}. Save to make it current.`);
  };
  return (
    <section className="grid gap-4 rounded-lg border border-line bg-sheet p-4" aria-label="Comparison">
      <div className="flex flex-wrap items-center gap-2">
        <SideSelect label="From" value={from} onChange={(side) => onChoose({ from: side, to })} />
        <span className="text-soft">to</span>
        <SideSelect label="To" value={to} onChange={(side) => onChoose({ from, to: side })} />
        <Segments
          label="Layout"
          value={layout}
          onChange={setLayout}
          options={[
            { value: 'unified', label: 'Unified' },
            { value: 'split', label: 'Side by side' },
          ]}
        />
        <span className="ml-auto flex gap-2">
          {canEdit && from !== 'draft' && from !== agent.revision ? (
            <Button icon={<RotateCcw />} onClick={restore}>
              Restore {from} into the draft
            </Button>
          ) : null}
          <Button look="quiet" onClick={onClose}>
            Close
          </Button>
        </span>
      </div>
      {error ? <ErrorNote error={error} /> : null}
      {!error && !(left.version && right.version) ? <Skeleton /> : null}
      <p className="text-base text-soft">
        {differing.length === 0
          ? 'No difference.'
          : `Differs in ${differing.map((field) => fieldWords[field].toLowerCase()).join(', ')}.`}
      </p>
      {differing.map((field) => (
        <div key={field}>
          <h3 className="mb-1.5 font-medium">{fieldWords[field]}</h3>
          <TextDiff
            label={fieldWords[field]}
            before={asText(left.version?.[field])}
            after={asText(right.version?.[field])}
            sideBySide={layout === 'split'}
          />
        </div>
      ))}
    </section>
  );
}

function useVersion(side: Side): { version: Agent | undefined; error: Error | null } {
  const { agent, draft } = useAgentDraft();
  const isStored = side !== 'draft';
  const { data, error } = useHubQuery(
    'getRevision',
    { id: agent.id, revision: isStored ? side : 1 },
    { enabled: isStored },
  );
  return isStored ? { version: data, error } : { version: draft, error: null };
}

function SideSelect({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Side;
  onChange: (side: Side) => void;
}) {
  const { agent, changed } = useAgentDraft();
  const labels = new Map(
    useHubQuery('agentHistory', { id: agent.id }).data?.revisions.map((each) => [each.revision, each.label]),
  );
  const nameOf = (number: number): string => {
    const label = labels.get(number) ?? null;
    return label === null ? `Revision ${number}` : `Revision ${number}: ${label}`;
  };
  const numbers = Array.from({ length: agent.revision }, (_, index) => agent.revision - index);
  return (
    <PlainSelect
      label={label}
      value={String(value)}
      onChange={(next) => onChange(next === 'draft' ? 'draft' : Number(next))}
      options={[
        ...(changed.length > 0 ? [{ value: 'draft', label: 'The draft' }] : []),
        ...numbers.map((number) => ({ value: String(number), label: nameOf(number) })),
      ]}
    />
  );
}
