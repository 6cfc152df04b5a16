import { type SubmitEvent, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Field, TextInput } from '../kit/field.tsx';

interface DenyFormProps {
  isBusy: boolean;
  onDeny: (reason: string) => void;
  onBack: () => void;
}

/** Asks why something is denied. The reason may be left out. */
export function DenyForm({ isBusy, onDeny, onBack }: DenyFormProps) {
  const [reason, setReason] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onDeny(reason.trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-56">
        <Field label="Why not?" hint="The model is told, and can try another way.">
          {(ids) => (
            <TextInput
              {...ids}
              autoFocus
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              onKeyDown={({ key }) => {
                if (key === 'Escape') onBack();
              }}
            />
          )}
        </Field>
      </div>
      <span className="mb-5 flex gap-2">
        <Button type="submit" look="danger" disabled={isBusy}>
          Deny
        </Button>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      </span>
    </form>
  );
}
