import { Save, Undo2 } from 'lucide-react';
import { MODIFIER } from '../../../app/shortcuts.ts';
import { Button } from '../../../kit/button.tsx';
import { Sheet } from '../../../kit/floating.tsx';
import { formatCount } from '../../../kit/numbers.ts';
import { TextDiff } from '../../../kit/editor/text-diff.tsx';
import { useAgentDraft } from './agent-draft.tsx';
import { asText, fieldWords } from './field-words.ts';

interface ChangesProps {
  open: boolean;
  onClose: () => void;
}

/** What a save will change, field by field; each can be taken back alone. */
export function ChangesSheet({ open, onClose }: ChangesProps) {
  const { agent, draft, changed, discard, save, isSaving } = useAgentDraft();
  return (
    <Sheet
      open={open && changed.length > 0}
      onClose={onClose}
      wide
      title={`${formatCount(changed.length, 'change')} to ${agent.name}`}
      footer={
        <>
          <Button look="danger" icon={<Undo2 />} onClick={() => discard()}>
            Discard all
          </Button>
          <Button
            look="primary"
            icon={<Save />}
            keys={`${MODIFIER}S`}
            disabled={isSaving}
            onClick={() => void save().then(onClose)}
          >
            Save
          </Button>
        </>
      }
    >
      <div className="grid gap-6">
        {changed.map((field) => (
          <section key={field}>
            <div className="mb-2 flex items-center justify-between gap-3">
              <h3 className="font-medium">{fieldWords[field]}</h3>
              <Button look="quiet" small icon={<Undo2 />} onClick={() => discard(field)}>
                Discard
              </Button>
            </div>
            <TextDiff
              label={`Changes of ${fieldWords[field]}`}
              before={asText(agent[field])}
              after={asText(draft[field])}
            />
          </section>
        ))}
      </div>
    </Sheet>
  );
}
