import type { Drawn, Plan } from '../plan.ts';
import {
  bendTo,
  curve,
  ellipse,
  leaf,
  limb,
  mirror,
  polar,
  polygon,
  round,
  smooth,
  wave,
  type Point,
} from '../shape.ts';

/** A moth, a bat or a bird with its wings open. */
export const wingedPlan: Plan = (random) => {
  const cy = random.between(54, 60);
  const rx = random.between(13, 18);
  const ry = random.between(22, 27);
  const wing = random.pick(['moth', 'bat', 'bird']);
  const reach = random.between(40, 46);
  const lift = random.between(20, 36);
  const top: Point[] =
    wing === 'bat'
      ? [
          [50 + 6, cy - 6],
          [50 + reach * 0.62, cy - lift],
          [50 + reach, cy - lift * 0.5],
          [50 + reach * 0.86, cy + 6],
          [50 + reach * 0.66, cy - 2],
          [50 + reach * 0.5, cy + 12],
          [50 + reach * 0.32, cy + 3],
        ]
      : [
          [50 + 4, cy - 6],
          [50 + reach * 0.6, cy - lift],
          [50 + reach, cy - lift * 0.75],
          [50 + reach * 0.86, cy + 2],
          [50 + 8, cy + 10],
        ];
  const draw = wing === 'bat' ? polygon : smooth;
  const low: Point = [50 + reach * 0.52, cy + 15];
  return {
    back: [
      ...(wing === 'bird'
        ? [-52, -30, -8, 16].flatMap((angle): Drawn[] => [
            { d: leaf([50 + 6, cy - 2], angle, reach, 15), fill: angle === -8 ? 'c' : 'b' },
            { d: leaf([50 - 6, cy - 2], 180 - angle, reach, 15), fill: angle === -8 ? 'c' : 'b' },
          ])
        : [
            { d: draw(top), fill: 'b' as const },
            { d: draw(mirror(top)), fill: 'b' as const },
          ]),
      ...(wing === 'moth'
        ? [low, ...mirror([low])].flatMap(([x, y]): Drawn[] => [
            { d: ellipse(x, y, 15, 14), fill: 'c' },
            { d: ellipse(x, y, 5), fill: 'b' },
          ])
        : []),
      ...(wing === 'moth'
        ? [78, 22].map((x): Drawn => ({ d: ellipse(x, cy - lift * 0.42, 6), fill: 'c' }))
        : []),
    ],
    body: smooth(
      Array.from({ length: 10 }, (_, index) =>
        polar(50, cy, index * 36 - 90, rx * (index > 3 && index < 7 ? 0.86 : 1), ry),
      ),
    ),
    front: [],
    marks: { cx: 50, cy: cy + ry * 0.4, rx: rx * 0.85, ry: ry * 0.5 },
    face: {
      x: 50,
      y: cy - ry * 0.42,
      eye: random.between(5.4, 7),
      apart: random.between(6.6, 7.6),
      mouth: wing === 'bird' ? 'beak' : 'smile',
    },
    crown: { x: 50, y: cy - ry, width: rx * 0.9 },
  };
};

/** A peacock or a bird of paradise: a small bird before a fan of feathers. */
export const plumedPlan: Plan = (random) => {
  const feathers = random.pick([5, 7, 9]);
  const open = random.between(70, 105);
  const length = random.between(42, 50);
  const width = random.between(11, 17);
  const cy = 66;
  const fan = Array.from({ length: feathers }, (_, index): Drawn[] => {
    const angle = -90 - open + (2 * open * index) / (feathers - 1);
    const eye = polar(50, cy, angle, length * 0.78);
    return [
      { d: leaf([50, cy], angle, length + 6, width), fill: index % 2 === 0 ? 'b' : 'c' },
      { d: ellipse(eye[0], eye[1], width * 0.22), fill: index % 2 === 0 ? 'c' : 'b' },
    ];
  });
  return {
    back: [...fan.flat(), ...limb('M44 84L42 90', 'c', 2.4), ...limb('M56 84L58 90', 'c', 2.4)],
    body: smooth([
      [50, 34],
      [61, 42],
      [60, 54],
      [67, 68],
      [61, 83],
      [50, 87],
      [39, 83],
      [33, 68],
      [40, 54],
      [39, 42],
    ]),
    front: [],
    marks: { cx: 50, cy: 70, rx: 14, ry: 13 },
    face: { x: 50, y: 45, eye: random.between(4.6, 5.8), apart: 5.8, mouth: 'beak' },
    crown: { x: 50, y: 35, width: 7 },
  };
};

/** A jellyfish or a ghost: a bell with something trailing from it. */
export const floatingPlan: Plan = (random) => {
  const rx = random.between(26, 34);
  const top = random.between(8, 16);
  const hem = random.between(50, 58);
  const scallops = random.count(3, 5);
  const ghost = random.chance(0.35);
  const bottom = ghost ? random.between(78, 86) : hem;
  const step = (2 * rx) / scallops;
  const edge = `q${round(-step / 2)} ${ghost ? 10 : 7} ${round(-step)} 0`.repeat(scallops);
  const bell =
    wave([50 - rx, bottom], [50 - rx * 1.06, top + 8], [50 - rx * 0.62, top], [50, top]) +
    bendTo([50 + rx * 0.62, top], [50 + rx * 1.06, top + 8], [50 + rx, bottom]);
  const tentacles = ghost ? 0 : random.count(3, 6);
  return {
    back: Array.from({ length: tentacles }, (_, index): Drawn[] => {
      const x = 50 - rx * 0.7 + (index * rx * 1.4) / Math.max(1, tentacles - 1);
      const sway = random.between(-12, 12);
      const end = random.between(80, 92);
      return limb(
        wave([x, hem - 4], [x + sway, hem + 14], [x - sway, end - 14], [x + sway * 0.5, end]),
        index % 2 === 0 ? 'b' : 'c',
        random.between(2.4, 4.6),
      );
    }).flat(),
    body: `${bell}${edge}Z`,
    front: ghost
      ? [
          ...limb(curve([50 - rx + 2, 50], [50 - rx - 10, 52], [50 - rx - 11, 44]), 'a', 5),
          ...limb(curve([50 + rx - 2, 50], [50 + rx + 10, 52], [50 + rx + 11, 44]), 'a', 5),
        ]
      : [],
    marks: { cx: 50, cy: top + 13, rx: rx * 0.7, ry: 10 },
    face: {
      x: 50,
      y: ghost ? hem - 14 : hem - 16,
      eye: random.between(5.6, 8),
      apart: random.between(9, 12),
      mouth: 'smile',
    },
    crown: random.chance(0.35) ? { x: 50, y: top + 1, width: rx * 0.6 } : null,
  };
};
