import { Play, RotateCcw } from 'lucide-react';
import type { ChatTurn } from '../../../../src/contract/chat.ts';
import { call } from '../../data/hub.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote, WarningNote } from '../../kit/feedback.tsx';
import type { Attempt } from '../../kit/use-attempt.ts';
import type { RunView } from '../../runs/run-view.ts';
import { useToolNames } from '../../runs/tool-names.ts';

interface EndingProps {
  turn: ChatTurn;
  run: RunView;
  onRetry: () => void;
  attempt: Attempt['attempt'];
}

/** How a turn ended, where it did not end well: what is lost, and what to do. */
export function TurnEnding({ turn, run, onRetry, attempt }: EndingProps) {
  const { runId } = turn;
  const doubtful = run.state === 'interrupted' ? unanswered(run) : [];
  const nameOf = useToolNames(doubtful);
  if (run.state === 'failed') {
    const error = run.error ?? turn.error;
    return (
      <ErrorNote error={new Error(error?.message ?? 'The run failed.')}>
        <Button small icon={<RotateCcw />} onClick={onRetry}>
          Retry
        </Button>
      </ErrorNote>
    );
  }
  if (run.state === 'cancelled')
    return <p className="text-sm text-soft">Stopped. The text so far is kept.</p>;
  if (run.state !== 'interrupted') return null;
  const names = doubtful.map(nameOf).join(', ');
  return (
    <WarningNote>
      <p>
        The hub stopped in the middle of this turn.{' '}
        {names === ''
          ? 'Every step up to here is kept; the step after it is lost.'
          : `Lost: the result of ${names}, which may have taken effect. Every step before it is kept.`}
      </p>
      <div className="mt-2 flex gap-2">
        <Button small icon={<Play />} onClick={() => attempt(() => call('resumeRun', { id: runId }))}>
          Resume
        </Button>
        <Button small icon={<RotateCcw />} onClick={onRetry}>
          Retry
        </Button>
      </div>
    </WarningNote>
  );
}

const unanswered = ({ steps }: RunView): readonly string[] =>
  steps.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === 'call' && item.result === null ? [item.name] : [])),
  );
