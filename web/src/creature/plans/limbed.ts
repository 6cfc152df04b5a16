import type { Drawn, Plan } from '../plan.ts';
import { curve, ellipse, leaf, limb, line, mirror, polar, smooth, type Point } from '../shape.ts';

/** A spider, a crab or an octopus: a small body on many legs. */
export const leggedPlan: Plan = (random) => {
  const pairs = random.count(3, 5);
  const rx = random.between(20, 26);
  const ry = random.between(17, 23);
  const cy = random.between(46, 54);
  const knee = random.between(10, 24);
  const claws = random.chance(0.45);
  const legs = Array.from({ length: pairs }, (_, index): Drawn[] => {
    const share = pairs === 1 ? 0 : index / (pairs - 1);
    const foot: Point = [50 + 14 + share * 32, 91 - share * random.between(4, 16)];
    const from: Point = [50 + rx * 0.6, cy + 4];
    const bend: Point = [50 + 22 + share * 24, cy - knee * share + 4];
    const left = mirror([from, bend, foot]);
    return [
      ...limb(curve(from, bend, foot), 'b', 3.4),
      ...limb(curve(left[0] ?? from, left[1] ?? bend, left[2] ?? foot), 'b', 3.4),
    ];
  });
  const clawY = cy - random.between(16, 24);
  return {
    back: [
      ...legs.flat(),
      ...(claws
        ? [16, 84].flatMap((x): Drawn[] => [
            ...limb(curve([x < 50 ? 36 : 64, cy], [x, cy + 2], [x, clawY + 4]), 'b', 4),
            { d: ellipse(x, clawY, 9.5, 8), fill: 'c' },
            { d: leaf([x, clawY - 3], x < 50 ? -62 : -118, 12, 6), fill: 'white' },
          ])
        : []),
    ],
    body: smooth(Array.from({ length: 10 }, (_, index) => polar(50, cy, index * 36, rx, ry))),
    front: [],
    marks: { cx: 50, cy: cy + ry * 0.5, rx: rx * 0.7, ry: ry * 0.45 },
    face: { x: 50, y: cy - 3, eye: random.between(5.5, 7.5), apart: random.between(8, 10.5), mouth: 'smile' },
    crown: claws ? null : { x: 50, y: cy - ry, width: rx * 0.8 },
  };
};

/** A deer, a giraffe or a small dinosaur: four legs, a neck, a tail. */
export const tallPlan: Plan = (random) => {
  const neck = random.between(14, 40);
  const by = random.between(60, 66);
  const rx = random.between(22, 27);
  const hx = 74;
  const hy = by - neck + 2;
  const leg = random.between(6, 8.5);
  const legs = (xs: readonly number[], tint: 'a' | 'b'): Drawn[] =>
    xs.flatMap((x) => limb(line([x, by + 8], [x, 90 - leg / 2]), tint, leg));
  const tail = random.pick(['thin', 'thick', 'tuft']);
  return {
    back: [
      ...legs([34, 62], 'b'),
      ...(tail === 'thick'
        ? [{ d: leaf([50 - rx + 8, by], random.between(165, 195), 32, 18), fill: 'a' as const }]
        : limb(curve([50 - rx + 4, by - 6], [14, by - 8], [11, by + random.between(-24, 10)]), 'a', 3)),
      ...(tail === 'tuft' ? [{ d: ellipse(11, by + 2, 5, 6), fill: 'c' as const }] : []),
    ],
    body: smooth([
      [46 - rx, by],
      [46 - rx * 0.5, by - 13],
      [56, by - 13],
      [63, (by + hy) / 2 - 4],
      [hx - 12, hy - 8],
      [hx, hy - 13],
      [hx + 14, hy - 6],
      [hx + 19, hy + 4],
      [hx + 10, hy + 11],
      [74, (by + hy) / 2 + 8],
      [72, by + 6],
      [58, by + 15],
      [40, by + 15],
      [46 - rx * 0.9, by + 9],
    ]),
    front: legs([27, 68], 'a'),
    marks: { cx: 46, cy: by, rx: rx * 0.85, ry: 13 },
    face: {
      x: hx + 3,
      y: hy - 2,
      eye: random.between(4.8, 6.2),
      apart: random.chance(0.5) ? 6.4 : 0,
      mouth: 'smile',
    },
    crown: { x: hx, y: hy - 11, width: 11 },
  };
};

/** A turtle or a beetle: a dome with a head. */
export const shelledPlan: Plan = (random) => {
  const rx = random.between(28, 33);
  const high = random.between(26, 40);
  const base = 80;
  const hx = 84;
  const hy = base - random.between(6, 20);
  const plates = random.count(2, 3);
  return {
    back: [
      ...[24, 60].flatMap((x): Drawn[] => limb(line([x, base - 4], [x - 1, 87]), 'a', 8.5)),
      { d: leaf([16, base - 6], 175, 13, 9), fill: 'a' },
    ],
    body: smooth([
      [50, base],
      [62, base - 14],
      [hx - 12, hy - 4],
      [hx - 2, hy - 11],
      [hx + 11, hy - 4],
      [hx + 10, hy + 7],
      [78, base - 2],
      [66, base + 6],
    ]),
    front: [
      {
        d: smooth(
          [
            [44 - rx, base],
            [44 - rx * 0.86, base - high * 0.62],
            [44 - rx * 0.3, base - high],
            [44 + rx * 0.34, base - high],
            [44 + rx * 0.88, base - high * 0.58],
            [44 + rx, base],
            [44, base + 5],
          ],
          0.95,
        ),
        fill: 'b',
      },
      ...Array.from({ length: plates }, (_, index): Drawn => ({
        d: ellipse(
          44 + (index - (plates - 1) / 2) * (rx * 0.72),
          base - high * 0.5 + Math.abs(index - (plates - 1) / 2) * 6,
          rx * 0.24,
          high * 0.22,
        ),
        fill: 'c',
      })),
    ],
    marks: { cx: hx - 4, cy: hy + 6, rx: 9, ry: 6 },
    face: { x: hx + 1, y: hy - 1, eye: random.between(4.4, 5.4), apart: 5.6, mouth: 'smile' },
    crown: random.chance(0.4) ? { x: hx, y: hy - 9, width: 8 } : null,
  };
};
