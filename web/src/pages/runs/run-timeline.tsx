import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Run, RunStep } from '../../../../src/contract/run.ts';
import { CopyButton } from '../../kit/copyable.tsx';
import { formatCount, formatDuration, formatNumber } from '../../kit/numbers.ts';
import { RunNotes, RunStepItems } from '../../runs/run-answer.tsx';
import { isOver, type RunView, type StepView } from '../../runs/run-view.ts';
import { ScrollText } from '../../runs/scroll-text.tsx';
import { useRunEvents } from '../../runs/use-run-events.ts';
import { formatUsage } from './run-words.ts';
import { sentIn } from './sent-in.ts';

/** What was sent and what came back, one step after the other, as it happens. Another run needs another component. */
export function RunTimeline({ run }: { run: Run }) {
  const isLive = !isOver(run);
  const view = useRunEvents(run.id, isLive);
  const steps = stepsOf(run, view);
  return (
    <ol aria-label="Timeline" className="grid grid-cols-[minmax(0,1fr)]">
      <Entry title="Asked" aside={`${formatCount(run.tools.length, 'tool')} in scope`}>
        <Asked run={run} />
        <Sent
          title="System prompt"
          text={run.system}
          aside={run.receipt === null ? '' : formatCount(run.receipt.totalTokens, 'token')}
        />
        {run.tools.length === 0 ? null : (
          <Sent title="Tools" text={run.tools.join('\n')} aside={formatNumber(run.tools.length)} />
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
  const cost = taken && `${taken.model}, ${formatUsage(taken.usage)}, ${formatDuration(taken.durationMs)}`;
  return (
    <Entry title={`Step ${number}`} aside={cost ?? (isLive ? 'under way' : 'not finished')} isStep>
      {taken === undefined ? null : (
        <Sent
          title="Sent to the model"
          text={JSON.stringify(sentIn(run, number), null, 2)}
          aside={formatCount(taken.usage.inputTokens, 'token')}
        />
      )}
      {run.chatId === null ? null : (
        <p className="text-xs text-faint">Any earlier turns of the chat were sent before these messages.</p>
      )}
      {seen === undefined ? null : (
        <div className="grid max-w-[75ch] min-w-0 grid-cols-1 gap-3">
          <RunStepItems step={seen} isLive={isLive} />
        </div>
      )}
    </Entry>
  );
}

interface EntryProps {
  title: string;
  aside: string;
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
        <span className="font-sans text-xs font-normal text-faint tabular">{aside}</span>
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

/** A text that the model got, folded: it may be long. */
function Sent({ title, text, aside }: { title: string; text: string; aside: string }) {
  return (
    <details className="rounded-md border border-line">
      <summary className="cursor-pointer px-3 py-1.5 text-sm text-soft hover:text-ink">
        {title} <span className="text-xs text-faint tabular">{aside}</span>
      </summary>
      <div role="group" aria-label={title} className="relative border-t border-line">
        <div className="absolute top-1.5 right-1.5">
          <CopyButton text={text} what={title} />
        </div>
        <ScrollText text={text} className="max-h-[32rem] px-3 py-2.5 break-words whitespace-pre-wrap" />
      </div>
    </details>
  );
}
