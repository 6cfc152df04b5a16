import { useHubQuery } from '../data/queries.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';

/** How many questions wait for somebody; nothing while there are none. */
export function WaitingCount() {
  const waiting = useHubQuery('listQuestions', {}).data?.questions.length ?? 0;
  if (waiting === 0) return null;
  return (
    <span
      title={`${formatCount(waiting, 'question')} for you`}
      className="rounded-full bg-amber-wash px-1.5 text-xs text-amber tabular md:max-lg:absolute md:max-lg:-translate-y-2 md:max-lg:translate-x-2.5"
    >
      {formatNumber(waiting)}
      <span className="sr-only"> waiting for you</span>
    </span>
  );
}
