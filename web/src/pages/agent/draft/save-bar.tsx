import { Check, GitCompare, PencilLine, Save, TriangleAlert } from 'lucide-react';
import { Suspense, useState } from 'react';
import { MODIFIER, useShortcut } from '../../../app/shortcuts.ts';
import { Button } from '../../../kit/button.tsx';
import { Badge } from '../../../kit/feedback.tsx';
import { formatCount } from '../../../kit/numbers.ts';
import { lazyPart } from '../../../kit/load-script.ts';
import { useAgentDraft } from './agent-draft.tsx';

/** Loaded when they are first opened: they bring along everything that compares texts. */
const ChangesSheet = lazyPart(async () => ({ default: (await import('./changes-sheet.tsx')).ChangesSheet }));
const ConflictSheet = lazyPart(async () => ({
  default: (await import('./conflict-sheet.tsx')).ConflictSheet,
}));

/** Saved, Draft or Changed elsewhere; the difference, and the save. */
export function SaveBar() {
  const { changed, conflicts, save, isSaving, agent } = useAgentDraft();
  const [open, setOpen] = useState<'changes' | 'conflict' | null>(null);
  const close = (): void => setOpen(null);
  const act = (): void => {
    if (conflicts.length > 0) setOpen('conflict');
    else if (changed.length > 0) void save().then(close);
  };
  const isDraft = changed.length > 0;
  useShortcut('mod+s', act, isDraft ? `Save ${agent.name}` : undefined);
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:contents">
      <span role="status">
        {conflicts.length > 0 ? (
          <Badge tone="danger" icon={<TriangleAlert />}>
            Changed elsewhere
          </Badge>
        ) : isDraft ? (
          <Badge tone="amber" icon={<PencilLine />}>
            Draft: {formatCount(changed.length, 'change')}
          </Badge>
        ) : (
          <Badge tone="leaf" icon={<Check />}>
            Saved, revision {agent.revision}
          </Badge>
        )}
      </span>
      {isDraft ? (
        <Button icon={<GitCompare />} onClick={() => setOpen(conflicts.length > 0 ? 'conflict' : 'changes')}>
          {conflicts.length > 0 ? 'Compare' : 'Changes'}
        </Button>
      ) : null}
      <Button
        look="primary"
        icon={<Save />}
        keys={`${MODIFIER}S`}
        disabled={!isDraft || isSaving}
        onClick={act}
      >
        Save
      </Button>
      <Suspense>
        {open === 'changes' ? <ChangesSheet open onClose={close} /> : null}
        {open === 'conflict' ? <ConflictSheet open={conflicts.length > 0} onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
