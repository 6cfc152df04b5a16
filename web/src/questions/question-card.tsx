import { Check, ExternalLink, X } from 'lucide-react';
import { useState } from 'react';
import type { Question } from '../../../src/contract/question.ts';
import { useHubMutation } from '../data/queries.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { ErrorNote } from '../kit/feedback.tsx';
import { TextInput } from '../kit/field.tsx';
import { formatAgo } from '../kit/numbers.ts';
import { SchemaForm } from '../schema-form/schema-form.tsx';

type Fields = Record<string, unknown>;

/** Something that waits for a person, with the answers it takes. The first answer wins, in whichever window. */
export function QuestionCard({ question }: { question: Question }) {
  const answer = useHubMutation('answerQuestion');
  const send = (body: Fields): void => answer.mutate({ id: question.id, body: { answer: body } });
  const { kind, title, details, askedAt, agentId } = question;
  return (
    <li className="grid gap-3 border-b border-line py-4">
      <div className="flex gap-3">
        <span aria-hidden="true" className="mt-2 size-2 shrink-0 rounded-full bg-amber" />
        <div className="min-w-0">
          <p className="text-base break-words">{title}</p>
          <p className="text-xs text-faint">
            {kindWords[kind]}
            {agentId === null ? '' : `, for ${agentId}`}, {formatAgo(askedAt)}
          </p>
        </div>
      </div>
      <div className="grid gap-3 pl-5">
        {kind === 'approval' || kind === 'permission' ? <What details={details} /> : null}
        {kind === 'approval' ? <Approve isBusy={answer.isPending} onAnswer={send} /> : null}
        {kind === 'permission' ? <Permit isBusy={answer.isPending} onAnswer={send} /> : null}
        {kind === 'elicitation' ? (
          <FillIn schema={details['requestedSchema']} isBusy={answer.isPending} onAnswer={send} />
        ) : null}
        {kind === 'login' && typeof details['url'] === 'string' ? (
          <a href={details['url']} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
            <ExternalLink /> Open the sign-in page
          </a>
        ) : null}
        {kind === 'login' && typeof details['server'] === 'string' ? (
          <div className="flex flex-wrap gap-2">
            <Button
              look="primary"
              icon={<Check />}
              disabled={answer.isPending}
              onClick={() => send({ action: 'accept' })}
            >
              I have signed in
            </Button>
            <Button
              look="danger"
              icon={<X />}
              disabled={answer.isPending}
              onClick={() => send({ action: 'decline' })}
            >
              Go on without
            </Button>
          </div>
        ) : null}
        {answer.error ? <ErrorNote error={answer.error} /> : null}
      </div>
    </li>
  );
}

const kindWords: Record<Question['kind'], string> = {
  approval: 'A tool call',
  permission: 'A permission',
  elicitation: 'A form',
  login: 'A sign-in',
};

/** The arguments of the call, or the paths that it is about. */
function What({ details }: { details: Fields }) {
  const { arguments: given, paths } = details;
  const shown = given ?? (Array.isArray(paths) && paths.length > 0 ? paths : undefined);
  if (shown === undefined) return null;
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so it has to be reachable
      tabIndex={0}
      aria-label="What it is about"
      className="max-h-60 overflow-auto rounded-md border border-line bg-wash px-3 py-2 font-mono text-xs break-words whitespace-pre-wrap"
    >
      {JSON.stringify(shown, null, 2)}
    </pre>
  );
}

interface AnswerProps {
  isBusy: boolean;
  onAnswer: (answer: Fields) => void;
}

function Approve({ isBusy, onAnswer }: AnswerProps) {
  const [reason, setReason] = useState<string | null>(null);
  if (reason !== null) {
    return (
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer({ decision: 'deny', ...(reason.trim() === '' ? {} : { reason: reason.trim() }) });
        }}
      >
        <TextInput
          autoFocus
          aria-label="Why not"
          placeholder="Why not? The model is told."
          className="max-w-96"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Button type="submit" look="danger" disabled={isBusy}>
          Deny
        </Button>
        <Button look="quiet" onClick={() => setReason(null)}>
          Back
        </Button>
      </form>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        look="primary"
        icon={<Check />}
        disabled={isBusy}
        onClick={() => onAnswer({ decision: 'once' })}
      >
        Allow once
      </Button>
      <Button disabled={isBusy} onClick={() => onAnswer({ decision: 'always' })}>
        Always allow
      </Button>
      <Button look="danger" icon={<X />} disabled={isBusy} onClick={() => setReason('')}>
        Deny
      </Button>
    </div>
  );
}

function Permit({ isBusy, onAnswer }: AnswerProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        look="primary"
        icon={<Check />}
        disabled={isBusy}
        onClick={() => onAnswer({ decision: 'allow' })}
      >
        Allow
      </Button>
      <Button look="danger" icon={<X />} disabled={isBusy} onClick={() => onAnswer({ decision: 'deny' })}>
        Deny
      </Button>
    </div>
  );
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function FillIn({ schema, isBusy, onAnswer }: AnswerProps & { schema: unknown }) {
  const [value, setValue] = useState<Fields>({});
  return (
    <form
      className="grid max-w-xl gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ action: 'accept', content: value });
      }}
    >
      {isFields(schema) ? (
        <SchemaForm schema={schema} value={value} onChange={setValue} disabled={isBusy} />
      ) : null}
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={isBusy}>
          Send
        </Button>
        <Button look="danger" disabled={isBusy} onClick={() => onAnswer({ action: 'decline' })}>
          Decline
        </Button>
      </div>
    </form>
  );
}
