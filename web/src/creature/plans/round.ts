import type { Plan } from '../plan.ts';
import { ellipse, leaf, polar, smooth, type Point } from '../shape.ts';

/** An owl or a ball of fur: nearly all face. */
export const roundPlan: Plan = (random) => {
  const rx = random.between(29, 37);
  const ry = random.between(27, 34);
  const cy = 90 - ry;
  const fur = random.chance(0.4) ? random.between(1.8, 3) : 0;
  const around: Point[] = Array.from({ length: 18 }, (_, index) =>
    polar(50, cy, index * 20, rx + (index % 2) * fur, ry + (index % 2) * fur),
  );
  const feet = random.between(11, 17);
  return {
    back: [
      { d: ellipse(50 - feet, 89, 8, 4.5), fill: 'c' },
      { d: ellipse(50 + feet, 89, 8, 4.5), fill: 'c' },
      ...(random.chance(0.5)
        ? [{ d: leaf([50 + rx - 6, cy + 8], random.between(-40, 5), 22, 12), fill: 'b' as const }]
        : []),
    ],
    body: smooth(around),
    front: [],
    marks: { cx: 50, cy: cy + ry * 0.45, rx: rx * 0.62, ry: ry * 0.6 },
    face: {
      x: 50,
      y: cy - ry * 0.22,
      eye: random.between(7, 10.5),
      apart: random.between(11, 14),
      mouth: random.chance(0.6) ? 'beak' : 'smile',
    },
    crown: { x: 50, y: cy - ry, width: rx },
  };
};

/** A frog: low and wide, with its eyes on top. */
export const squatPlan: Plan = (random) => {
  const rx = random.between(34, 40);
  const ry = random.between(19, 24);
  const cy = 88 - ry;
  const apart = random.between(15, 20);
  const eye = random.between(7.5, 10);
  const eyeY = cy - ry + 2;
  return {
    back: [
      { d: ellipse(50 - rx + 4, 84, 14, 9), fill: 'a' },
      { d: ellipse(50 + rx - 4, 84, 14, 9), fill: 'a' },
      { d: ellipse(50 - apart, eyeY, eye + 4.5), fill: 'a' },
      { d: ellipse(50 + apart, eyeY, eye + 4.5), fill: 'a' },
    ],
    body: smooth([
      [50 - rx, cy + 4],
      [50 - rx * 0.72, cy - ry * 0.72],
      [50, cy - ry],
      [50 + rx * 0.72, cy - ry * 0.72],
      [50 + rx, cy + 4],
      [50 + rx * 0.6, cy + ry],
      [50, cy + ry * 1.02],
      [50 - rx * 0.6, cy + ry],
    ]),
    front: [
      { d: ellipse(50 - 15, 89.5, 9, 3.8), fill: 'c' },
      { d: ellipse(50 + 15, 89.5, 9, 3.8), fill: 'c' },
    ],
    marks: { cx: 50, cy: cy + ry * 0.55, rx: rx * 0.6, ry: ry * 0.55 },
    face: { x: 50, y: eyeY, eye, apart, mouth: 'smile' },
    crown: random.chance(0.35) ? { x: 50, y: cy - ry + 1, width: 10 } : null,
  };
};
