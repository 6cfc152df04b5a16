import { useState } from 'react';
import type { Revision } from '../../../../../src/contract/revision.ts';
import { useHubQuery, useKept } from '../../../data/queries.ts';
import { Button } from '../../../kit/button.tsx';
import { Badge, Empty, ErrorNote, Skeleton } from '../../../kit/feedback.tsx';
import { formatAgo, formatMoment } from '../../../kit/numbers.ts';
import { useAgentDraft } from '../draft/agent-draft.tsx';
import { fieldWords } from '../draft/field-words.ts';
import { Comparison, type Side } from './comparison.tsx';
import { RevisionLabel } from './revision-label.tsx';

const actions: Record<Revision['action'], string> = {
  created: 'Created',
  changed: 'Changed',
  deleted: 'Deleted',
  undeleted: 'Undeleted',
  restored: 'Restored',
};

/** Every revision, who made it and from where; any two, or one and the draft, compared. */
export function HistoryTab() {
  const { agent, changed, canEdit } = useAgentDraft();
  const history = useHubQuery('agentHistory', { id: agent.id }, { enabled: canEdit });
  const revisions = useKept(history.data)?.revisions;
  const [sides, setSides] = useState<{ from: Side; to: Side } | null>(null);
  if (!canEdit) {
    return (
      <div className="px-4 sm:px-6">
        <Empty title="This agent has no history here">
          It is defined in {agent.origin?.path ?? 'a file'}. Your version control has its history.
        </Empty>
      </div>
    );
  }
  const newest: Side = changed.length > 0 ? 'draft' : agent.revision;
  return (
    <div className="mx-auto grid max-w-4xl gap-6 px-4 py-6 sm:px-6">
      {history.error ? <ErrorNote error={history.error} /> : null}
      {revisions === undefined ? <Skeleton lines={6} /> : null}
      {sides ? (
        <Comparison from={sides.from} to={sides.to} onChoose={setSides} onClose={() => setSides(null)} />
      ) : null}
      <ol className="grid">
        {revisions?.map((revision) => (
          <li
            key={revision.revision}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-t border-line py-3"
          >
            <span className="w-8 shrink-0 font-serif text-lg tabular">{revision.revision}</span>
            <span className="min-w-0 flex-1 sm:basis-56">
              <span className="block">
                {actions[revision.action]} {whatOf(revision)}
                {revision.revision === agent.revision ? (
                  <span className="ml-2">
                    <Badge tone="leaf">current</Badge>
                  </span>
                ) : null}
              </span>
              <RevisionLabel agentId={agent.id} revision={revision} />
              <span className="block text-xs text-soft" title={formatMoment(revision.at)}>
                {formatAgo(revision.at)} by {revision.caller} via {revision.surface}
              </span>
            </span>
            <span className="flex gap-2 max-sm:ml-12 max-sm:w-full">
              {revision.revision === newest ? null : (
                <Button small onClick={() => setSides({ from: revision.revision, to: newest })}>
                  Compare with {newest === 'draft' ? 'the draft' : 'current'}
                </Button>
              )}
              {revision.revision > 1 ? (
                <Button
                  small
                  look="quiet"
                  onClick={() => setSides({ from: revision.revision - 1, to: revision.revision })}
                >
                  What changed
                </Button>
              ) : null}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** "persona, skills": the parts that a revision touched. */
function whatOf({ action, changes }: Revision): string {
  if (action !== 'changed' && action !== 'restored') return '';
  const names = Object.entries<string>(fieldWords);
  const parts = new Set(
    changes.map(
      (path) => names.find(([field]) => path === field || path.startsWith(`${field}.`))?.[1] ?? path,
    ),
  );
  return [...parts].map((part) => part.toLowerCase()).join(', ');
}
