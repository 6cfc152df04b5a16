import { growCreature } from './grow-creature.ts';
import { renderCreature } from './render-creature.ts';

export const PLATE_SEEDS: readonly string[] = Array.from(
  { length: 50 },
  (_, index) => `specimen-${index + 1}`,
);

const COLUMNS = 10;
const CELL = 124;

/** Fifty creatures side by side, as a picture for the documentation; a test compares it with the one that is there. */
export function renderPlate(): string {
  const rows = Math.ceil(PLATE_SEEDS.length / COLUMNS);
  const cells = PLATE_SEEDS.map((seed, index) => {
    const x = (index % COLUMNS) * CELL + 12;
    const y = Math.floor(index / COLUMNS) * CELL + 12;
    return `<g transform="translate(${x} ${y})"><title>${growCreature(seed).plan}</title>${renderCreature(seed, `body-${index}`)}</g>`;
  });
  const size = `width="${COLUMNS * CELL}" height="${rows * CELL}" viewBox="0 0 ${COLUMNS * CELL} ${rows * CELL}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n<rect width="100%" height="100%" fill="#f7f4ea"/>\n${cells.join('\n')}\n</svg>\n`;
}
