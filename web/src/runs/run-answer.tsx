import { Brain, ChevronRight, CornerDownRight, Info, TriangleAlert } from 'lucide-react';
import { memo, useState } from 'react';
import { HubText } from '../kit/hub-text/hub-text.tsx';
import { formatCount } from '../kit/numbers.ts';
import { Markdown } from './markdown/markdown.tsx';
import { isOver, type RunItem, type RunView, type StepView } from './run-view.ts';
import { ToolCall } from './tool-call.tsx';

/** What a run said and did, in its order. */
export function RunAnswer({ run }: { run: RunView }) {
  const isLive = !isOver(run);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <RunNotes notes={run.notes} />
      {run.steps.map((step) => (
        <RunStepItems key={step.step} step={step} isLive={isLive} />
      ))}
    </div>
  );
}

/** What is said before the first step. */
export const RunNotes = ({ notes }: Pick<RunView, 'notes'>) =>
  notes.map((text) => <Note key={text} tone="plain" text={text} />);

interface StepProps {
  step: StepView;
  /** False once the run is over: then nothing waits any more. */
  isLive: boolean;
}

/** Steps that are complete keep their view, and are not drawn again while the next one streams in. */
export const RunStepItems = memo(function RunStepItems({ step, isLive }: StepProps) {
  return step.items.map((item, index) => <Item key={index} item={item} isLive={isLive} />);
});

const Item = memo(function Item({ item, isLive }: { item: RunItem; isLive: boolean }) {
  if (item.kind === 'text') return <Markdown text={item.text} />;
  if (item.kind === 'reasoning') return <Reasoning text={item.text} />;
  if (item.kind === 'call') return <ToolCall call={item} isLive={isLive} />;
  if (item.kind === 'note') return <Note tone={item.tone} text={item.text} />;
  return (
    <p className="flex gap-2 rounded-md bg-wash px-3 py-2 text-base break-words whitespace-pre-wrap">
      <CornerDownRight className="mt-1 size-3.5 shrink-0 text-faint" aria-label="You, meanwhile" />
      {item.text}
    </p>
  );
});

function Reasoning({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const words = text.trim() === '' ? 0 : text.trim().split(/\s+/).length;
  return (
    <div className="grid grid-cols-1 gap-2">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="inline-flex min-h-6 items-center gap-1.5 justify-self-start rounded-sm text-xs text-soft hover:text-ink"
      >
        <ChevronRight className={`size-3.5 transition-transform ${isOpen ? 'rotate-90' : ''}`} />
        <Brain className="size-3.5" />
        Reasoning, {formatCount(words, 'word')}
      </button>
      {isOpen ? (
        <div className="border-l-2 border-line pl-4 text-soft">
          <Markdown text={text} />
        </div>
      ) : null}
    </div>
  );
}

function Note({ tone, text }: { tone: 'plain' | 'warning' | 'error'; text: string }) {
  const Icon = tone === 'plain' ? Info : TriangleAlert;
  return (
    <p className="flex gap-2 text-xs text-soft">
      <Icon className={`mt-0.5 size-3.5 shrink-0 ${tone === 'plain' ? 'text-faint' : 'text-amber'}`} />
      <span className="min-w-0 break-words">
        <HubText>{text}</HubText>
      </span>
    </p>
  );
}
