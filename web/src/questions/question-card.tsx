import { Check, ExternalLink, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Question } from '../../../src/contract/question.ts';
import { useHubMutation } from '../data/queries.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { ErrorNote } from '../kit/feedback.tsx';
import { formatAgo } from '../kit/numbers.ts';
import { isRecord } from '../kit/is-record.ts';
import { Approval } from '../runs/approval.tsx';
import { InChat } from '../runs/in-chat.ts';
import { SchemaForm } from '../schema-form/schema-form.tsx';
import { type AnswerProps, Permission } from './permission.tsx';

type Fields = Record<string, unknown>;

/** Something that waits for a person, with the answers it takes. The first answer wins, in whichever window. */
export function QuestionCard({ question }: { question: Question }) {
  const { id, kind, title, details, askedAt, agentId } = question;
  return (
    <li className="grid grid-cols-1 gap-3 border-b border-line py-4">
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
      <div className="grid grid-cols-1 gap-3 pl-5">
        {kind === 'approval' ? (
          <CallApproval id={id} details={details} />
        ) : (
          <OtherAnswer id={id} kind={kind} details={details} />
        )}
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

function CallApproval({ id, details }: Pick<Question, 'id' | 'details'>) {
  const { tool, arguments: input, chatId } = details;
  return (
    <InChat value={typeof chatId === 'string'}>
      <Approval questionId={id} tool={String(tool)} input={input} />
    </InChat>
  );
}

type OtherKind = Exclude<Question['kind'], 'approval'>;

const forms: Record<OtherKind, (props: AnswerProps) => ReactNode> = {
  permission: Permission,
  elicitation: FillIn,
  login: SignIn,
};

function OtherAnswer({ id, kind, details }: Pick<Question, 'id' | 'details'> & { kind: OtherKind }) {
  const answer = useHubMutation('answerQuestion');
  const Form = forms[kind];
  return (
    <>
      <Form
        details={details}
        isBusy={answer.isPending}
        onAnswer={(body) => answer.mutate({ id, body: { answer: body } })}
      />
      {answer.error ? <ErrorNote error={answer.error} /> : null}
    </>
  );
}

function SignIn({ details, isBusy, onAnswer }: AnswerProps) {
  const { url, server } = details;
  return (
    <div className="flex flex-wrap gap-2">
      {typeof url === 'string' ? (
        <a href={url} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
          <ExternalLink /> Open the sign-in page
        </a>
      ) : null}
      {typeof server === 'string' ? (
        <>
          <Button icon={<Check />} disabled={isBusy} onClick={() => onAnswer({ action: 'accept' })}>
            I have signed in
          </Button>
          <Button
            look="danger"
            icon={<X />}
            disabled={isBusy}
            onClick={() => onAnswer({ action: 'decline' })}
          >
            Continue without signing in
          </Button>
        </>
      ) : null}
    </div>
  );
}

function FillIn({ details: { requestedSchema }, isBusy, onAnswer }: AnswerProps) {
  const [value, setValue] = useState<Fields>({});
  return (
    <form
      className="grid max-w-xl gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ action: 'accept', content: value });
      }}
    >
      {isRecord(requestedSchema) ? (
        <SchemaForm schema={requestedSchema} value={value} onChange={setValue} disabled={isBusy} />
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
