import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { SyncEvent } from '../../../../src/contract/knowledge.ts';
import { follow } from '../../data/hub.ts';
import { invalidate } from '../../data/queries.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { formatCount, formatNumber } from '../../kit/numbers.ts';
import { notify } from '../../kit/toasts.tsx';

interface SyncButtonProps {
  /** `all`, or the id of a source. */
  what: string;
  label: string;
  small?: boolean;
  disabled?: boolean;
}

/** Syncs, and shows how far it is. The sync goes on in the hub if the page is left. */
export function SyncButton({ what, label, small = false, disabled = false }: SyncButtonProps) {
  const [progress, setProgress] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const sync = async (): Promise<void> => {
    setError(null);
    setProgress('Looking for changes');
    try {
      for await (const event of follow('syncKnowledge', { body: { what, background: true } })) {
        if (event.type === 'progress') setProgress(describeProgress(event));
        if (event.type === 'end') notify(describeEnd(event));
      }
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } finally {
      setProgress(null);
      invalidate(['listSources', 'searchKnowledge', 'knowledgeStats']);
    }
  };
  return (
    <div className="grid justify-items-start gap-2">
      <Button
        small={small}
        icon={<RefreshCw />}
        disabled={disabled || progress !== null}
        onClick={() => void sync()}
      >
        {label}
      </Button>
      {progress === null ? null : (
        <span role="status" className="text-xs text-soft tabular">
          {progress}
        </span>
      )}
      {error === null ? null : <ErrorNote error={error} />}
    </div>
  );
}

type Progress = Extract<SyncEvent, { type: 'progress' }>;
const phases: Record<Progress['phase'], string> = { scan: 'Found', index: 'Indexed', embed: 'Embedded' };

function describeProgress({ phase, documents, totalDocuments }: Progress): string {
  const total = totalDocuments === null ? '' : ` of ${formatNumber(totalDocuments)}`;
  return `${phases[phase]} ${formatNumber(documents)}${total}`;
}

function describeEnd({ ok, counts }: Extract<SyncEvent, { type: 'end' }>): string {
  const changes = counts.added + counts.changed + counts.moved + counts.deleted;
  const said = changes === 0 ? 'Nothing changed.' : `${formatCount(changes, 'document')} updated.`;
  return ok ? said : `${said} Some sources failed.`;
}
