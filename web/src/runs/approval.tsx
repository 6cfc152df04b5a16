import { Check, PencilLine, X } from 'lucide-react';
import { lazy, type SubmitEvent, Suspense, useEffect, useRef, useState } from 'react';
import { useHubMutation } from '../data/queries.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/feedback.tsx';
import { Field, TextArea, TextInput } from '../kit/field.tsx';
import { onApprovalKeys } from './approval-keys.ts';
import type { ApprovalView, CallView } from './run-view.ts';
import { ScrollText } from './scroll-text.tsx';

/** Loaded with the first change of an agent: it brings along everything that compares texts. */
const AgentChange = lazy(async () => ({ default: (await import('./agent-change.tsx')).AgentChange }));

interface ApprovalProps {
  call: CallView;
  approval: ApprovalView;
}

type Decision = NonNullable<ApprovalView['decision']>;

/** A call that waits for a person: allow it, with other arguments if need be, or deny it and say why. */
export function Approval({ call, approval }: ApprovalProps) {
  const answer = useHubMutation('answerQuestion');
  const [mode, setMode] = useState<'ask' | 'edit' | 'deny'>('ask');
  const [edited, setEdited] = useState(() => JSON.stringify(approval.arguments, null, 2));
  const place = useRef<HTMLDivElement>(null);
  const changed = parseArguments(edited);
  const { questionId } = approval;
  const decide = (decision: Decision, reason?: string): void => {
    if (answer.isPending) return;
    const isEdited = mode === 'edit' && decision !== 'deny' && changed.value !== null;
    answer.mutate({
      id: questionId,
      body: {
        answer: {
          decision,
          ...(reason === undefined || reason === '' ? {} : { reason }),
          ...(isEdited ? { arguments: changed.value } : {}),
        },
      },
    });
  };
  const latest = useRef({ allow: () => decide('once'), deny: () => setMode('deny') });
  useEffect(() => {
    latest.current = { allow: () => decide('once'), deny: () => setMode('deny') };
  });
  useEffect(
    () =>
      onApprovalKeys({
        element: () => place.current,
        allow: () => latest.current.allow(),
        deny: () => latest.current.deny(),
      }),
    [],
  );
  const cannotAllow = answer.isPending || (mode === 'edit' && changed.value === null);
  return (
    <div
      ref={place}
      role="group"
      aria-label={`Approval of ${call.name}`}
      className="grid grid-cols-1 gap-3 border-t border-amber/50 bg-amber-wash/60 px-3 py-3"
    >
      <p className="text-sm">
        Allow the agent to call <span className="font-mono">{call.name}</span>?
      </p>
      {call.name.startsWith('agent_zoo_') && call.name.endsWith('_agent') ? (
        <Suspense>
          <AgentChange tool={call.name} input={approval.arguments} />
        </Suspense>
      ) : null}
      {mode === 'edit' ? (
        <Field label="Arguments" error={changed.problem}>
          {(ids) => (
            <TextArea
              {...ids}
              className="font-mono !text-xs"
              value={edited}
              onChange={({ target }) => setEdited(target.value)}
            />
          )}
        </Field>
      ) : (
        <ScrollText
          text={edited}
          className="max-h-60 rounded-sm bg-sheet px-2.5 py-2 break-words whitespace-pre-wrap"
        />
      )}
      {mode === 'deny' ? (
        <DenyForm onDeny={(reason) => decide('deny', reason)} onBack={() => setMode('ask')} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button
            small
            look="primary"
            icon={<Check />}
            keys="A"
            disabled={cannotAllow}
            onClick={() => decide('once')}
          >
            Allow once
          </Button>
          <Button small disabled={cannotAllow} onClick={() => decide('chat')}>
            In this chat
          </Button>
          <Button small disabled={cannotAllow} onClick={() => decide('always')}>
            Always
          </Button>
          <Button
            small
            look="quiet"
            icon={<PencilLine />}
            onClick={() => setMode(mode === 'edit' ? 'ask' : 'edit')}
          >
            {mode === 'edit' ? 'Keep the arguments' : 'Edit arguments'}
          </Button>
          <Button
            small
            look="danger"
            icon={<X />}
            keys="D"
            disabled={answer.isPending}
            onClick={() => setMode('deny')}
          >
            Deny
          </Button>
        </div>
      )}
      {answer.error ? <ErrorNote error={answer.error} /> : null}
    </div>
  );
}

function DenyForm({ onDeny, onBack }: { onDeny: (reason: string) => void; onBack: () => void }) {
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
        <Button type="submit" look="danger">
          Deny
        </Button>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      </span>
    </form>
  );
}

interface ParsedArguments {
  value: Record<string, unknown> | null;
  problem: string | null;
}

function parseArguments(text: string): ParsedArguments {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { value, problem: null };
    return { value: null, problem: 'The arguments have to be a JSON object.' };
  } catch (error) {
    return {
      value: null,
      problem: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
