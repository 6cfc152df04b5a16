import { Pause, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { formatMoment, formatNumber } from '../../kit/numbers.ts';

/** How long each change is looked at. */
const STEP_MS = 500;

interface ReplayProps {
  /** Times of what happened, in order. */
  times: readonly string[];
  /** How much of it is shown. */
  position: number;
  onMove: (position: number) => void;
}

/** Goes through everything that happened in a team that has ended. */
export function Replay({ times, position, onMove }: ReplayProps) {
  const [isPlaying, setPlaying] = useState(false);
  const isOver = position >= times.length;
  useEffect(() => {
    if (!isPlaying || isOver) return undefined;
    const timer = setTimeout(() => onMove(position + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, isOver, position, onMove]);
  const at = times[position - 1];
  return (
    <div className="flex flex-wrap items-center gap-3 pb-3">
      <Button
        icon={isPlaying && !isOver ? <Pause /> : <Play />}
        onClick={() => {
          if (isOver) onMove(0);
          setPlaying(isOver || !isPlaying);
        }}
      >
        {isPlaying && !isOver ? 'Pause' : 'Replay'}
      </Button>
      <input
        type="range"
        aria-label="Position in the replay"
        className="min-w-40 flex-1 accent-leaf"
        min={0}
        max={times.length}
        value={position}
        onChange={({ target }) => {
          setPlaying(false);
          onMove(target.valueAsNumber);
        }}
      />
      <span className="text-xs text-faint tabular">
        {formatNumber(position)} of {formatNumber(times.length)}
        {at === undefined ? '' : `, ${formatMoment(at)}`}
      </span>
    </div>
  );
}
