import type { Face } from './plan.ts';
import { ellipse, round } from './shape.ts';

/** What a creature shows of the agent's runs. */
export type Mood = 'awake' | 'asleep' | 'working' | 'waiting' | 'unwell';

export interface Eyes {
  /** The white of each open eye. */
  whites: string[];
  pupils: string[];
  /** Lids of closed eyes, drawn as lines. */
  lids: string[];
  /** A line, or the filled shape of a beak. */
  mouth: { d: string; filled: boolean } | null;
}

/** The face in a mood: only the eyes carry it, so that it reads at every size. */
export function drawEyes({ x, y, eye, apart, mouth }: Face, mood: Mood): Eyes {
  const places = apart === 0 ? [x] : [x - apart, x + apart];
  const isClosed = (index: number): boolean => mood === 'asleep' || (mood === 'unwell' && index === 0);
  const lift = mood === 'waiting' ? -eye * 0.42 : 0;
  const open = places.filter((_, index) => !isClosed(index));
  return {
    whites: open.map((at) => ellipse(at, y, eye)),
    pupils: open.map((at) => ellipse(at + eye * 0.12, y + lift, eye * 0.56)),
    lids: places
      .filter((_, index) => isClosed(index))
      .map((at) => `M${round(at - eye)} ${round(y)}q${round(eye)} ${round(eye * 0.9)} ${round(eye * 2)} 0`),
    mouth: drawMouth(x, y, eye, apart, mouth),
  };
}

function drawMouth(x: number, y: number, eye: number, apart: number, kind: Face['mouth']): Eyes['mouth'] {
  const low = round(y + eye * 1.1);
  if (kind === 'none') return null;
  if (kind === 'beak') {
    const half = round(Math.max(3, eye * 0.6));
    return {
      d: `M${round(x - half)} ${round(low - eye * 0.4)}h${half * 2}l${-half} ${round(half * 1.7)}Z`,
      filled: true,
    };
  }
  const half = round(Math.max(3, eye * 0.7));
  const from = apart === 0 ? x + eye * 0.6 : x;
  return {
    d: `M${round(from - half)} ${round(low + eye * 0.35)}q${half} ${round(half * 0.8)} ${half * 2} 0`,
    filled: false,
  };
}
