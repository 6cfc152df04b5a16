import { FileText } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Run, RunStep } from '../../../../src/contract/run.ts';
import { useHubQuery } from '../../data/queries.ts';
import { CopyButton } from '../../kit/copyable.tsx';
import { ErrorNote, Skeleton } from '../../kit/feedback.tsx';
import { formatCount, formatDuration, formatNumber } from '../../kit/numbers.ts';
import { InChat } from '../../runs/in-chat.ts';
import { RunNotes, RunStepItems } from '../../runs/run-answer.tsx';
import { isOver, type RunView, type StepView } from '../../runs/run-view.ts';
import { ScrollText } from '../../runs/scroll-text.tsx';
import { useRunEvents } from '../../runs/use-run-events.ts';
import { formatUsage } from './run-words.ts';
import { sentIn } from './sent-in.ts';

/** What was sent and what came back, one step after the other, as it happens. Another run needs another component. */
export function RunTimeline({ run }: { run: Run }) {
  const isLive = !isOver(run);
  const view = useRunEvents(run);
  const steps = stepsOf(run, view);
  return (
    <ol aria-label="Timeline" className="grid grid-cols-[minmax(0,1fr)]">
      <Entry title="Asked" aside={[`${formatCount(run.tools.length, 'tool')} in scope`]}>
        <Asked run={run} />
        <Folded
          title="System prompt"
          aside={run.receipt === null ? '' : formatCount(run.receipt.totalTokens, 'token')}
        >
          <Sent what="System prompt" text={run.system} />
        </Folded>
        {run.tools.length === 0 ? null : (
          <Folded title="Tools" aside={formatNumber(run.tools.length)}>
            <Sent what="Tools" text={run.tools.join('\n')} />
          </Folded>
        )}
        <RunNotes notes={view.notes} />
      </Entry>
      {steps.map(({ number, taken, seen }) => (
        <Step key={number} run={run} number={number} taken={taken} seen={seen} isLive={isLive} />
      ))}
      {steps.length === 0 ? (
        <li className="border-l-2 border-line pl-5 text-sm text-soft">
          {isLive ? 'No steps yet.' : 'It ended before its first step.'}
        </li>
      ) : null}
    </ol>
  );
}

interface AnyStep {
  number: number;
  /** Once it is complete: what was sent, and what it cost. */
  taken: RunStep | undefined;
  /** What its events have told. */
  seen: StepView | undefined;
}

function stepsOf({ stepsTaken }: Run, { steps }: RunView): AnyStep[] {
  const numbers = new Set([...stepsTaken, ...steps].map(({ step }) => step));
  return [...numbers]
    .toSorted((a, b) => a - b)
    .map((number) => ({
      number,
      taken: stepsTaken.find(({ step }) => step === number),
      seen: steps.find(({ step }) => step === number),
    }));
}

interface StepProps extends AnyStep {
  run: Run;
  isLive: boolean;
}

function Step({ run, number, taken, seen, isLive }: StepProps) {
  const cost = taken && [taken.model, formatUsage(taken.usage), formatDuration(taken.durationMs)];
  return (
    <Entry title={`Step ${number}`} aside={cost ?? [isLive ? 'under way' : 'not finished']} isStep>
      {taken === undefined ? null : (
        <Folded title="Sent to the model" aside={formatCount(taken.usage.inputTokens, 'token')}>
          <SentInStep run={run} step={number} />
        </Folded>
      )}
      {seen === undefined ? null : (
        <div className="grid max-w-[75ch] min-w-0 grid-cols-1 gap-3">
          <InChat value={run.chatId !== null}>
            <RunStepItems step={seen} isLive={isLive} />
          </InChat>
        </div>
      )}
    </Entry>
  );
}

interface EntryProps {
  title: string;
  /** Lines break between these. */
  aside: readonly string[];
  isStep?: boolean;
  children: ReactNode;
}

function Entry({ title, aside, isStep = false, children }: EntryProps) {
  return (
    <li
      className={`grid grid-cols-[minmax(0,1fr)] gap-3 border-l-2 pb-7 pl-5 ${isStep ? 'border-leaf/40' : 'border-line'}`}
    >
      <h2 className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-serif text-lg">{title}</span>
        {aside.map((text) => (
          <span key={text} className="font-sans text-xs font-normal whitespace-nowrap text-faint tabular">
            {text}
          </span>
        ))}
      </h2>
      {children}
    </li>
  );
}

function Asked({ run: { input } }: { run: Run }) {
  return input.map((part, index) =>
    part.type === 'text' ? (
      <p key={index} className="max-w-[75ch] text-base break-words whitespace-pre-wrap">
        {part.text}
      </p>
    ) : (
      <p key={index} className="flex items-center gap-2 text-sm text-soft">
        <FileText className="size-4 shrink-0" />
        {part.name ?? 'File'}, {part.mediaType}
      </p>
    ),
  );
}

interface FoldedProps {
  title: string;
  aside: string;
  children: ReactNode;
}

/** Something long behind its title. It is made when it is first opened. */
function Folded({ title, aside, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="rounded-md border border-line"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer px-3 py-1.5 text-sm text-soft hover:text-ink">
        {title} <span className="text-xs text-faint tabular">{aside}</span>
      </summary>
      {isOpen ? (
        <div role="group" aria-label={title} className="relative border-t border-line">
          {children}
        </div>
      ) : null}
    </details>
  );
}

/** A text that the model got. */
function Sent({ what, text }: { what: string; text: string }) {
  return (
    <>
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} what={what} />
      </div>
      <ScrollText text={text} className="max-h-[32rem] px-3 py-2.5 break-words whitespace-pre-wrap" />
    </>
  );
}

/** The whole request of a step, with the earlier turns of a chat. */
function SentInStep({ run, step }: { run: Run; step: number }) {
  const { data: history, error } = useHubQuery('getRunHistory', { id: run.id });
  if (error) return <ErrorNote error={error} />;
  if (history === undefined) return <Skeleton />;
  return <Sent what="Sent to the model" text={JSON.stringify(sentIn(run, history, step), null, 2)} />;
}
