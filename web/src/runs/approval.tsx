import { Check, PencilLine, X } from 'lucide-react';
import { type ReactNode, Suspense, useContext, useRef, useState } from 'react';
import { useHubMutation } from '../data/queries.ts';
import { Button } from '../kit/button.tsx';
import { ErrorNote } from '../kit/feedback.tsx';
import { Field, TextArea } from '../kit/field.tsx';
import { isRecord } from '../kit/is-record.ts';
import { lazyPart } from '../kit/load-script.ts';
import { useApprovalKeys } from './approval-keys.ts';
import { DenyForm } from './deny-form.tsx';
import { InChat } from './in-chat.ts';
import type { ApprovalView } from './run-view.ts';
import { ScrollText } from './scroll-text.tsx';

/** Loaded with the first change of an agent: it brings along everything that compares texts. */
const AgentChange = lazyPart(async () => ({ default: (await import('./agent-change.tsx')).AgentChange }));

interface ApprovalProps {
  questionId: string;
  tool: string;
  /** The arguments as the model gave them. */
  input: unknown;
  className?: string;
  /** Stands above the arguments. */
  children?: ReactNode;
}

type Decision = NonNullable<ApprovalView['decision']>;

/** A call that waits for a person: allow it, with other arguments if need be, or deny it and say why. */
export function Approval({ questionId, tool, input, className = '', children }: ApprovalProps) {
  const answer = useHubMutation('answerQuestion');
  const [mode, setMode] = useState<'ask' | 'edit' | 'deny'>('ask');
  const original = JSON.stringify(input, null, 2);
  const [edited, setEdited] = useState(original);
  const place = useRef<HTMLDivElement>(null);
  const changed = parseArguments(edited);
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
  const cannotAllow = answer.isPending || (mode === 'edit' && changed.value === null);
  const allow = (): void => {
    if (!cannotAllow) decide('once');
  };
  useApprovalKeys(place, { allow, deny: () => setMode('deny') });
  const switchTo = (next: typeof mode): void => {
    if (next === 'edit') setEdited(original);
    setMode(next);
  };
  return (
    <div
      ref={place}
      role="group"
      aria-label={`Approval of ${tool}`}
      className={`grid grid-cols-1 gap-3 ${className}`}
    >
      {children}
      {tool.startsWith('agent_zoo_') && tool.endsWith('_agent') ? (
        <Suspense>
          <AgentChange tool={tool} input={input} />
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
          text={original}
          className="max-h-60 rounded-sm border border-line bg-sheet px-2.5 py-2 break-words whitespace-pre-wrap"
        />
      )}
      {mode === 'deny' ? (
        <DenyForm
          isBusy={answer.isPending}
          onDeny={(reason) => decide('deny', reason)}
          onBack={() => setMode('ask')}
        />
      ) : (
        <Choices
          isBusy={answer.isPending}
          cannotAllow={cannotAllow}
          isEditing={mode === 'edit'}
          onDecide={decide}
          onMode={switchTo}
        />
      )}
      {answer.error ? <ErrorNote error={answer.error} /> : null}
    </div>
  );
}

interface ChoicesProps {
  isBusy: boolean;
  cannotAllow: boolean;
  isEditing: boolean;
  onDecide: (decision: Decision) => void;
  onMode: (mode: 'ask' | 'edit' | 'deny') => void;
}

function Choices({ isBusy, cannotAllow, isEditing, onDecide, onMode }: ChoicesProps) {
  const isInChat = useContext(InChat);
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        small
        look="primary"
        icon={<Check />}
        keys="A"
        disabled={cannotAllow}
        onClick={() => onDecide('once')}
      >
        Allow once
      </Button>
      <Button small disabled={cannotAllow} onClick={() => onDecide('chat')}>
        {isInChat ? 'In this chat' : 'In this run'}
      </Button>
      <Button small disabled={cannotAllow} onClick={() => onDecide('always')}>
        Always
      </Button>
      <Button small look="quiet" icon={<PencilLine />} onClick={() => onMode(isEditing ? 'ask' : 'edit')}>
        {isEditing ? 'Discard edits' : 'Edit arguments'}
      </Button>
      <Button small look="danger" icon={<X />} keys="D" disabled={isBusy} onClick={() => onMode('deny')}>
        Deny
      </Button>
    </div>
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
