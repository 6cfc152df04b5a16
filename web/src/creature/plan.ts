import type { Random } from './random.ts';
import type { LimbShape, Shape } from './shape.ts';

export type Drawn = Shape | LimbShape;

/** How one kind of creature is built. Everything on a plate of 100 × 100, standing at y = 92. */
export interface Build {
  /** Behind the body: tails, wings, far legs. */
  back: Drawn[];
  /** The outline that markings stay within. */
  body: string;
  /** In front of the body: near legs, shells, beaks. */
  front: Drawn[];
  /** The box that markings fill. */
  marks: { cx: number; cy: number; rx: number; ry: number };
  face: Face;
  /** Where ears, horns and crests grow; null for those that have none. */
  crown: { x: number; y: number; width: number } | null;
}

export interface Face {
  x: number;
  y: number;
  /** The radius of an eye. */
  eye: number;
  /** From the middle to each eye; 0 is a single eye, as in profile. */
  apart: number;
  mouth: 'smile' | 'beak' | 'none';
}

export type Plan = (random: Random) => Build;
