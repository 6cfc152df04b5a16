import type { Build } from './plan.ts';
import type { Random } from './random.ts';
import { ellipse, leaf, limb, line, polar, round, type LimbShape, type Shape } from './shape.ts';

interface Place {
  x: number;
  y: number;
  width: number;
  size: number;
}

type Crown = (place: Place, random: Random) => (Shape | LimbShape)[];

const sides = [-1, 1] as const;

const cat: Crown = ({ x, y, width, size }) =>
  sides.map((side) => ({
    d: leaf([x + side * width * 0.62, y + size * 0.45], -90 + side * 22, size, size * 0.7),
    fill: 'a',
  }));

const hare: Crown = ({ x, y, width, size }) =>
  sides.map((side) => ({
    d: leaf([x + side * width * 0.4, y + 4], -90 + side * 14, Math.min(size * 1.7, y + 2), size * 0.55),
    fill: side < 0 ? 'a' : 'b',
  }));

const bear: Crown = ({ x, y, width, size }) =>
  sides.map((side) => ({ d: ellipse(x + side * width * 0.72, y + size * 0.3, size * 0.38), fill: 'b' }));

const horns: Crown = ({ x, y, width, size }) =>
  sides.map((side) => ({
    d: leaf([x + side * width * 0.5, y + 3], -90 + side * 34, size * 1.05, 6),
    fill: 'white',
  }));

const antennae: Crown = ({ x, y, width, size }) =>
  sides.flatMap((side): (Shape | LimbShape)[] => {
    const [tx, ty] = polar(x + side * width * 0.3, y, -90 + side * 28, Math.min(size * 1.15, y));
    return [
      ...limb(line([x + side * width * 0.25, y + 3], [tx, ty]), 'b', 1.6),
      { d: ellipse(tx, ty, 3.6), fill: 'c' },
    ];
  });

const crest: Crown = ({ x, y, size }) =>
  [-32, 0, 32].map((angle) => ({
    d: leaf([x + angle / 8, y + 4], -90 + angle, size * (angle === 0 ? 1.35 : 1), size * 0.5),
    fill: 'c',
  }));

const antlers: Crown = ({ x, y, width, size }) =>
  sides.flatMap((side) => {
    const tall = round(Math.min(size * 1.2, y - 2));
    const from = `M${round(x + side * width * 0.35)} ${round(y + 3)}`;
    const branch = `m${-side * 3} ${round(tall / 2)}l${side * 9} -5`;
    return limb(`${from}l${side * 6} ${-tall}${branch}`, 'white', 1.8);
  });

const sprout: Crown = ({ x, y, size }, random) => [
  { d: leaf([x, y + 3], -90 + random.between(-30, 30), size * 1.3, size * 0.75), fill: 'c' },
];

const bald: Crown = () => [];

/** Ears, horns, antennae, a crest: the silhouette of a head. */
export function drawCrown(random: Random, { crown }: Build): (Shape | LimbShape)[] {
  if (crown === null) return [];
  const draw = random.pick([cat, hare, bear, horns, antennae, crest, antlers, sprout, bald]);
  return draw({ ...crown, size: Math.max(9, crown.width * 0.8) }, random);
}
