import type { Build } from './plan.ts';
import type { Random } from './random.ts';
import { ellipse, leaf, polar, smooth, type Shape } from './shape.ts';

type Marking = (random: Random, box: Build['marks']) => Shape[];
type MarkShape = Pick<Shape, 'd' | 'fill'>;

/** Inside of the body, and without an outline of its own. */
const mark = (shape: MarkShape): Shape => ({ ...shape, line: 0, inside: true });

const belly: Marking = (_random, { cx, cy, rx, ry }) => [mark({ d: ellipse(cx, cy, rx, ry), fill: 'b' })];

const spots: Marking = (random, { cx, cy, rx, ry }) =>
  Array.from({ length: random.count(4, 7) }, (_, index) => {
    const [x, y] = polar(cx, cy, index * 137 + random.between(0, 40), rx * random.between(0.2, 1.1), ry);
    return mark({ d: ellipse(x, y, random.between(2.6, 5.2)), fill: 'b' });
  });

const stripes: Marking = (random, { cx, cy, rx, ry }) => {
  const wide = random.between(3, 5);
  return [-1.5, -0.5, 0.5, 1.5].map((place) =>
    mark({ d: leaf([cx + place * rx * 0.62, cy - ry * 1.2], 90, ry * 2.4, wide), fill: 'b' }),
  );
};

const freckles: Marking = (random, { cx, cy, rx, ry }) =>
  Array.from({ length: 9 }, (_, index) => {
    const far = random.between(0.4, 0.95);
    const [x, y] = polar(cx, cy, index * 40, rx * far, ry * far);
    return mark({ d: ellipse(x, y, 1.5), fill: 'ink' });
  });

const band: Marking = (_random, { cx, cy, rx, ry }) => [
  mark({
    d: smooth([
      [cx - rx * 2, cy - ry * 0.3],
      [cx, cy - ry * 0.05],
      [cx + rx * 2, cy - ry * 0.3],
      [cx + rx * 2, cy + ry * 0.5],
      [cx, cy + ry * 0.75],
      [cx - rx * 2, cy + ry * 0.5],
    ]),
    fill: 'c',
  }),
];

const scales: Marking = (_random, { cx, cy, rx, ry }) =>
  [-0.35, 0.3].flatMap((row) =>
    [-1, 0, 1].map((column) =>
      mark({ d: leaf([cx + column * rx * 0.55, cy + row * ry], 90, 6, 5), fill: 'b' }),
    ),
  );

const plain: Marking = () => [];

export const drawMarkings = (random: Random, { marks }: Build): Shape[] =>
  random.pick([belly, spots, stripes, freckles, band, scales, plain])(random, marks);
