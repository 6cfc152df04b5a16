import type { Plan } from '../plan.ts';
import { bendTo, ellipse, leaf, limb, line, smooth, wave } from '../shape.ts';

/** A snake with a raised head, or a caterpillar: a line with a face at its end. */
export const longPlan: Plan = (random) => {
  const width = random.between(13, 18);
  const reach = random.between(8, 15);
  const head = random.between(14, 17);
  const x = random.between(60, 70);
  const y = random.between(27, 34);
  const low = 92 - width / 2 - 2;
  const spine =
    wave([reach, low - random.between(4, 22)], [reach + 12, low + 4], [reach + 20, low + 2], [42, low]) +
    bendTo([70, low], [92, low - 6], [84, low - 20]) +
    bendTo([78, low - 30], [x - 22, y + 26], [x - 4, y + 4]);
  const segments = random.chance(0.5);
  return {
    back: [
      ...limb(spine, 'a', width),
      ...(segments ? [{ d: spine, stroke: 'b' as const, width: width * 0.34 }] : []),
    ],
    body: smooth([
      [x - head, y],
      [x - head * 0.6, y - head * 0.8],
      [x + head * 0.2, y - head * 0.95],
      [x + head, y - head * 0.3],
      [x + head * 1.18, y + head * 0.32],
      [x + head * 0.4, y + head * 0.85],
      [x - head * 0.6, y + head * 0.75],
    ]),
    front: [],
    marks: { cx: x + 3, cy: y + head * 0.6, rx: head * 0.8, ry: head * 0.4 },
    face: { x: x + 2, y: y - 2, eye: random.between(5, 6.6), apart: random.between(7, 8.5), mouth: 'smile' },
    crown: { x, y: y - head * 0.9, width: head },
  };
};

/** A fish in profile. */
export const finnedPlan: Plan = (random) => {
  const rx = random.between(28, 35);
  const ry = random.between(17, 28);
  const cx = 54;
  const cy = 52;
  const tail = random.between(16, 24);
  const spread = random.between(26, 44);
  return {
    back: [
      { d: leaf([cx - rx + 8, cy], 180 - spread, tail + 10, 15), fill: 'b' },
      { d: leaf([cx - rx + 8, cy], 180 + spread, tail + 10, 15), fill: 'b' },
      {
        d: smooth(
          [
            [cx - rx * 0.6, cy - ry * 0.7],
            [cx - 6, cy - ry - random.between(10, 19)],
            [cx + rx * 0.55, cy - ry * 0.7],
          ],
          0.7,
        ),
        fill: 'c',
      },
      { d: leaf([cx - 4, cy + ry - 5], random.between(95, 125), 19, 13), fill: 'c' },
    ],
    body: smooth([
      [cx - rx, cy],
      [cx - rx * 0.5, cy - ry * 0.82],
      [cx + rx * 0.2, cy - ry],
      [cx + rx * 0.85, cy - ry * 0.5],
      [cx + rx * 1.06, cy + 2],
      [cx + rx * 0.8, cy + ry * 0.55],
      [cx + rx * 0.1, cy + ry],
      [cx - rx * 0.55, cy + ry * 0.75],
    ]),
    front: [{ d: leaf([cx - 2, cy + 5], random.between(150, 205), 19, 12), fill: 'b' }],
    marks: { cx: cx - 4, cy: cy + ry * 0.2, rx: rx * 0.8, ry: ry * 0.75 },
    face: { x: cx + rx * 0.55, y: cy - ry * 0.2, eye: random.between(6.5, 9), apart: 0, mouth: 'smile' },
    crown: null,
  };
};

/** A snail: a foot, a spiral and two feelers. */
export const snailPlan: Plan = (random) => {
  const shell = random.between(23, 29);
  const sx = random.between(38, 44);
  const sy = 84 - shell;
  const hx = random.between(76, 82);
  const hy = random.between(44, 54);
  const turns = random.between(0.3, 0.42);
  return {
    back: [
      ...limb(line([hx - 4, hy - 4], [hx - 10, hy - 24]), 'a', 2.4),
      ...limb(line([hx + 4, hy - 4], [hx + 8, hy - 25]), 'a', 2.4),
      { d: ellipse(hx - 10, hy - 25, 4), fill: 'c' },
      { d: ellipse(hx + 8, hy - 26, 4), fill: 'c' },
    ],
    body: smooth(
      [
        [8, 89],
        [24, 78],
        [52, 76],
        [66, 66],
        [hx - 12, hy],
        [hx, hy - 11],
        [hx + 12, hy],
        [hx + 10, hy + 20],
        [82, 84],
        [66, 91],
        [34, 92],
      ],
      0.9,
    ),
    front: [
      { d: ellipse(sx, sy, shell), fill: 'b' },
      { d: ellipse(sx + 2, sy + 3, shell * 0.62), fill: 'c' },
      { d: ellipse(sx + 3.5, sy + 5, shell * turns), fill: 'b' },
      { d: ellipse(sx + 4, sy + 6, shell * 0.12), fill: 'ink' },
    ],
    marks: { cx: 74, cy: 76, rx: 16, ry: 12 },
    face: { x: hx, y: hy + 1, eye: random.between(4.6, 5.8), apart: 6.2, mouth: 'smile' },
    crown: null,
  };
};
