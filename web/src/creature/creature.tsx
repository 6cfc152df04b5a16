import { useId, useMemo } from 'react';
import type { Mood } from './eyes.ts';
import { growCreature } from './grow-creature.ts';
import { renderCreature } from './render-creature.ts';

/** For screen readers, and where a mood is said. */
export const moodWords: Record<Mood, string> = {
  awake: 'awake',
  asleep: 'asleep',
  working: 'at work',
  waiting: 'waiting for you',
  unwell: 'unwell: its last run failed',
};

interface CreatureProps {
  seed: string;
  /** In pixels. */
  size: number;
  mood?: Mood;
  /** For creatures that stand alone; beside a name they are decoration, and silent. */
  name?: string;
  className?: string;
}

/** In pixels, at every size. */
const RIM = 0.75;

/** The drawing of an agent, grown from its `appearanceSeed`. */
export function Creature({ seed, size, mood = 'awake', name, className = '' }: CreatureProps) {
  const id = useId();
  const scale = size / 100;
  // Our own markup from a pure function: nothing of the seed itself gets into it.
  const drawing = useMemo(
    () => ({ __html: renderCreature(seed, id, mood, RIM / scale) }),
    [seed, id, mood, scale],
  );
  const label =
    name === undefined ? undefined : `${name}, a ${growCreature(seed).plan} creature, ${moodWords[mood]}`;
  return (
    <svg
      viewBox="0 0 100 100"
      width={size}
      height={size}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined ? true : undefined}
      className={`shrink-0 overflow-visible ${mood === 'working' ? 'origin-bottom animate-[breathe_2.8s_ease-in-out_infinite]' : ''} ${className}`}
      dangerouslySetInnerHTML={drawing}
    />
  );
}
