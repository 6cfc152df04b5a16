import { Button } from '../../../kit/button.tsx';
import { Sheet } from '../../../kit/floating.tsx';
import { TextDiff } from '../../../kit/editor/text-diff.tsx';
import { useAgentDraft } from './agent-draft.tsx';
import { asText, fieldWords } from './field-words.ts';

interface ConflictProps {
  open: boolean;
  onClose: () => void;
}

/** The fields that were changed here and elsewhere, side by side. All other changes are merged by themselves. */
export function ConflictSheet({ open, onClose }: ConflictProps) {
  const { agent, conflicts, keep, discard } = useAgentDraft();
  return (
    <Sheet open={open} onClose={onClose} wide title={`${agent.name} was changed elsewhere`}>
      <p className="mb-5 max-w-[70ch] text-base text-soft">
        Revision {agent.revision} changed {conflicts.length === 1 ? 'a field' : 'fields'} that you also
        changed. Choose for each; nothing is lost, the saved version stays in the history.
      </p>
      <div className="grid gap-8">
        {conflicts.map(({ field, theirs, mine }) => (
          <section key={field}>
            <h3 className="mb-2 font-medium">{fieldWords[field]}</h3>
            <div className="mb-2 grid grid-cols-2 gap-4 text-sm">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="text-soft">Saved elsewhere</span>
                <Button small onClick={() => discard(field)}>
                  Take theirs
                </Button>
              </div>
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="text-soft">Your draft</span>
                <Button small look="primary" onClick={() => keep(field)}>
                  Keep mine
                </Button>
              </div>
            </div>
            <TextDiff
              label={`${fieldWords[field]}, saved elsewhere and your draft`}
              before={asText(theirs)}
              after={asText(mine)}
              sideBySide
            />
          </section>
        ))}
      </div>
    </Sheet>
  );
}
