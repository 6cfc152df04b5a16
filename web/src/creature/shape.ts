/** Colours of a creature by their part in it: `a` is the body, `b` its second colour, `c` an accent. */
export type Tint = 'a' | 'b' | 'c' | 'ink' | 'white' | 'none';

/** One stroke of the drawing on a plate of 100 × 100. Later shapes lie on top. */
export interface Shape {
  d: string;
  fill: Tint;
  /** Width of the ink outline; the usual one unless given. */
  line?: number;
  /** Drawn with the outline of the body as its edge. */
  inside?: true;
}

export type Point = readonly [x: number, y: number];

export const round = (value: number): number => Math.round(value * 10) / 10;

const at = ([x, y]: Point): string => `${round(x)} ${round(y)}`;

export function ellipse(cx: number, cy: number, rx: number, ry: number = rx): string {
  const [r, s, width] = [round(rx), round(ry), round(2 * rx)];
  return `M${at([cx - rx, cy])}a${r} ${s} 0 1 0 ${width} 0a${r} ${s} 0 1 0 ${-width} 0Z`;
}

/** A closed line through all points, without corners. `tension` 1 is round, 0 straight. */
export function smooth(points: readonly Point[], tension = 1): string {
  const point = (index: number): Point => points[(index + points.length) % points.length] ?? [50, 50];
  const bends = points.map((_, index) => {
    const [before, from, to, after] = [point(index - 1), point(index), point(index + 1), point(index + 2)];
    const out: Point = [
      from[0] + ((to[0] - before[0]) * tension) / 6,
      from[1] + ((to[1] - before[1]) * tension) / 6,
    ];
    const into: Point = [
      to[0] - ((after[0] - from[0]) * tension) / 6,
      to[1] - ((after[1] - from[1]) * tension) / 6,
    ];
    return `C${at(out)} ${at(into)} ${at(to)}`;
  });
  return `M${at(point(0))}${bends.join('')}Z`;
}

export const polygon = (points: readonly Point[]): string => `M${points.map(at).join('L')}Z`;

export const mirror = (points: readonly Point[]): Point[] => points.map(([x, y]) => [100 - x, y]);

/** A point at an angle (0 is to the right, 90 is down) and a distance. */
export function polar(cx: number, cy: number, degrees: number, rx: number, ry: number = rx): Point {
  const radians = (degrees * Math.PI) / 180;
  return [cx + Math.cos(radians) * rx, cy + Math.sin(radians) * ry];
}

/** A leaf from one point to another: ears, feathers, fins. */
export function leaf([x, y]: Point, degrees: number, length: number, width: number): string {
  const tip = polar(x, y, degrees, length);
  const left = polar(x, y, degrees - 90, width / 2);
  const right = polar(x, y, degrees + 90, width / 2);
  const middle = polar(x, y, degrees, length * 0.6);
  const bulge = width * 0.55;
  const one = polar(middle[0], middle[1], degrees - 90, bulge);
  const two = polar(middle[0], middle[1], degrees + 90, bulge);
  return `M${at(left)}Q${at(one)} ${at(tip)}Q${at(two)} ${at(right)}Z`;
}

/** A limb or tail: a line with a width, outlined in ink. Two shapes, the outline first. */
export function limb(d: string, tint: Tint, width: number): LimbShape[] {
  return [
    { d, stroke: 'ink', width: width + 2 * LINE },
    { d, stroke: tint, width },
  ];
}

export interface LimbShape {
  d: string;
  stroke: Tint;
  width: number;
}

/** The one weight of the ink outline. */
export const LINE = 2.6;

export const line = (from: Point, to: Point): string => `M${at(from)}L${at(to)}`;
export const curve = (from: Point, bend: Point, to: Point): string => `M${at(from)}Q${at(bend)} ${at(to)}`;
export const wave = (from: Point, one: Point, two: Point, to: Point): string =>
  `M${at(from)}${bendTo(one, two, to)}`;
/** Goes on from where the last line ended. */
export const bendTo = (one: Point, two: Point, to: Point): string => `C${at(one)} ${at(two)} ${at(to)}`;
