import { drawCrown } from './crowns.ts';
import { drawMarkings } from './markings.ts';
import type { Drawn, Face } from './plan.ts';
import { plans } from './plans/index.ts';
import { createRandom, type Random } from './random.ts';
import type { Shape } from './shape.ts';

/** A creature as data: drawn by `Creature` on the page, and by `renderCreature` into a file. */
export interface Grown {
  plan: string;
  colors: Readonly<Record<'a' | 'b' | 'c', string>>;
  /** Faces left. */
  flipped: boolean;
  back: Drawn[];
  body: string;
  marks: Shape[];
  front: Drawn[];
  face: Face;
}

const names = Object.keys(plans);

/** Grows the same creature from the same seed, everywhere and for ever: the plate in docs/images holds it to that. */
export function growCreature(seed: string): Grown {
  const random = createRandom(seed);
  const plan = names[random.count(0, names.length - 1)] ?? 'round';
  const colors = chooseColors(random);
  const flipped = random.chance(0.5);
  const build = plans[plan]?.(random);
  if (!build) throw new Error(`no body plan ${plan}`);
  const marks = drawMarkings(random, build);
  const crown = drawCrown(random, build);
  return {
    plan,
    colors,
    flipped,
    back: [...build.back, ...crown],
    body: build.body,
    marks,
    front: build.front,
    face: build.face,
  };
}

/** Printer's inks: a body, a second colour that goes with it, an accent that does not. */
function chooseColors(random: Random): Grown['colors'] {
  const hue = random.count(0, 23) * 15;
  const pale = random.chance(0.3);
  const second = hue + random.pick([28, -32, 60, 0]);
  const accent = hue + random.pick([150, 180, 210, 120]);
  return {
    a: ink(pale ? 0.86 : random.pick([0.66, 0.72, 0.78]), pale ? 0.06 : random.pick([0.09, 0.12, 0.14]), hue),
    b: ink(pale ? 0.66 : 0.88, pale ? 0.12 : 0.055, second),
    c: ink(random.pick([0.72, 0.82]), 0.13, accent),
  };
}

const ink = (lightness: number, chroma: number, hue: number): string =>
  `oklch(${lightness} ${chroma} ${(hue + 360) % 360})`;
