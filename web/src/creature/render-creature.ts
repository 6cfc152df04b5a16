import { drawEyes, type Mood } from './eyes.ts';
import { growCreature, type Grown } from './grow-creature.ts';
import type { Drawn } from './plan.ts';
import { LINE, round, type Tint } from './shape.ts';

/**
 * The markup inside of an `<svg viewBox="0 0 100 100">`. `id` names its clip path, and is unique on the page. `rim` is
 * the width of a second outline around the ink, of the class `creature-rim`, for dark grounds.
 */
export function renderCreature(seed: string, id: string, mood: Mood = 'awake', rim = 0): string {
  const grown = growCreature(seed);
  const paint = (tint: Tint): string => colorOf(grown, tint);
  const eyes = drawEyes(grown.face, mood);
  const outlined = `stroke="${paint('ink')}" stroke-width="${LINE}" stroke-linejoin="round" stroke-linecap="round"`;
  const draw = (shape: Drawn): string => {
    if ('stroke' in shape)
      return `<path d="${shape.d}" fill="none" stroke="${paint(shape.stroke)}" stroke-width="${Math.round(shape.width * 10) / 10}" stroke-linecap="round"/>`;
    const line = shape.line === 0 ? '' : ` ${outlined}`;
    return `<path d="${shape.d}" fill="${paint(shape.fill)}"${line}/>`;
  };
  const marks =
    grown.marks.length === 0
      ? ''
      : `<clipPath id="${id}"><path d="${grown.body}"/></clipPath><g clip-path="url(#${id})">${grown.marks.map(draw).join('')}</g>`;
  const line = (d: string): string => `<path d="${d}" fill="none" ${outlined}/>`;
  const drawing = [
    rim === 0 ? '' : drawRim(grown, rim),
    ...grown.back.map(draw),
    `<path d="${grown.body}" fill="${paint('a')}"/>`,
    marks,
    `<path d="${grown.body}" fill="none" ${outlined}/>`,
    ...grown.front.map(draw),
    ...eyes.whites.map((d) => `<path d="${d}" fill="${paint('white')}" ${outlined}/>`),
    ...eyes.pupils.map((d) => `<path d="${d}" fill="${paint('ink')}"/>`),
    ...eyes.lids.map(line),
    eyes.mouth
      ? eyes.mouth.filled
        ? `<path d="${eyes.mouth.d}" fill="${paint('c')}" ${outlined}/>`
        : line(eyes.mouth.d)
      : '',
  ].join('');
  return grown.flipped ? `<g transform="matrix(-1 0 0 1 100 0)">${drawing}</g>` : drawing;
}

/** One path for all shapes of a line width, below the drawing. */
function drawRim({ back, body, front }: Grown, rim: number): string {
  const byWidth = new Map<number, string[]>([[LINE, [body]]]);
  for (const shape of [...back, ...front]) {
    const width = 'stroke' in shape ? shape.width : (shape.line ?? LINE);
    if (width > 0) byWidth.set(width, [...(byWidth.get(width) ?? []), shape.d]);
  }
  const paths = [...byWidth].map(
    ([width, shapes]) => `<path d="${shapes.join('')}" stroke-width="${round(width + 2 * rim)}"/>`,
  );
  return `<g class="creature-rim" fill="none" stroke-linejoin="round" stroke-linecap="round">${paths.join('')}</g>`;
}

const fixed = { ink: '#16241c', white: '#fffdf6', none: 'none' } as const;

const colorOf = ({ colors }: Grown, tint: Tint): string => ({ ...fixed, ...colors })[tint];
