import { Check, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { useApprovalKeys } from '../runs/approval-keys.ts';
import { DenyForm } from '../runs/deny-form.tsx';
import { ScrollText } from '../runs/scroll-text.tsx';

export interface AnswerProps {
  details: Record<string, unknown>;
  isBusy: boolean;
  onAnswer: (answer: Record<string, unknown>) => void;
}

/** An action of a team member that waits for a person, with the paths that it is about. */
export function Permission({ details, isBusy, onAnswer }: AnswerProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isDenying, setDenying] = useState(false);
  const allow = (): void => {
    if (!isBusy) onAnswer({ decision: 'allow' });
  };
  useApprovalKeys(place, { allow, deny: () => setDenying(true) });
  const paths = Array.isArray(details['paths']) ? details['paths'].map(String) : [];
  return (
    <div ref={place} className="grid grid-cols-1 gap-3">
      {paths.length === 0 ? null : (
        <ScrollText
          text={paths.join('\n')}
          className="max-h-60 rounded-sm border border-line bg-sheet px-2.5 py-2 break-words whitespace-pre-wrap"
        />
      )}
      {isDenying ? (
        <DenyForm
          isBusy={isBusy}
          onDeny={(reason) => onAnswer({ decision: 'deny', ...(reason === '' ? {} : { reason }) })}
          onBack={() => setDenying(false)}
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button small look="primary" icon={<Check />} keys="A" disabled={isBusy} onClick={allow}>
            Allow
          </Button>
          <Button
            small
            look="danger"
            icon={<X />}
            keys="D"
            disabled={isBusy}
            onClick={() => setDenying(true)}
          >
            Deny
          </Button>
        </div>
      )}
    </div>
  );
}
