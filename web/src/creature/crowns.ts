import type { Build } from './plan.ts';
import type { Random } from './random.ts';
import { ellipse, leaf, polar, round, type Shape } from './shape.ts';

interface Place {
  x: number;
  y: number;
  width: number;
  size: number;
}

type Crown = (place: Place, random: Random) => Shape[];

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
  sides.flatMap((side): Shape[] => {
    const [tx, ty] = polar(x + side * width * 0.3, y, -90 + side * 28, Math.min(size * 1.15, y));
    return [
      { d: `M${round(x + side * width * 0.25)} ${round(y + 3)}L${round(tx)} ${round(ty)}`, fill: 'none' },
      { d: ellipse(tx, ty, 3.6), fill: 'c' },
    ];
  });

const crest: Crown = ({ x, y, size }) =>
  [-32, 0, 32].map((angle) => ({
    d: leaf([x + angle / 8, y + 4], -90 + angle, size * (angle === 0 ? 1.35 : 1), size * 0.5),
    fill: 'c',
  }));

const antlers: Crown = ({ x, y, width, size }) =>
  sides.map((side) => {
    const tall = round(Math.min(size * 1.2, y + 1));
    const from = `M${round(x + side * width * 0.35)} ${round(y + 3)}`;
    return { d: `${from}l${side * 6} ${-tall}m${-side * 3} ${round(tall / 2)}l${side * 9} -5`, fill: 'none' };
  });

const sprout: Crown = ({ x, y, size }, random) => [
  { d: leaf([x, y + 3], -90 + random.between(-30, 30), size * 1.3, size * 0.75), fill: 'c' },
];

const bald: Crown = () => [];

/** Ears, horns, antennae, a crest: the silhouette of a head. */
export function drawCrown(random: Random, { crown }: Build): Shape[] {
  if (crown === null) return [];
  const draw = random.pick([cat, hare, bear, horns, antennae, crest, antlers, sprout, bald]);
  return draw({ ...crown, size: Math.max(9, crown.width * 0.8) }, random);
}
