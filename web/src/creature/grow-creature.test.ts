import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PLATE_SEEDS, renderPlate } from './creature-plate.ts';
import { growCreature } from './grow-creature.ts';
import { plans } from './plans/index.ts';
import { renderCreature } from './render-creature.ts';

const plate = new URL('../../../docs/images/creatures.svg', import.meta.url);

test('a seed grows the creature that it always grew', () => {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(plate, renderPlate());
  expect(renderPlate()).toBe(readFileSync(plate, 'utf8'));
});

test('fifty seeds grow fifty different creatures of every body plan', () => {
  const drawings = PLATE_SEEDS.map((seed) => renderCreature(seed, 'body'));
  expect(new Set(drawings).size).toBe(50);
  const grown = new Set(PLATE_SEEDS.map((seed) => growCreature(seed).plan));
  expect([...grown].toSorted()).toEqual(Object.keys(plans).toSorted());
});

test('no two neighbours on the plate share plan and colour', () => {
  const looks = PLATE_SEEDS.map((seed) => growCreature(seed)).map(
    ({ plan, colors }) => `${plan} ${colors.a}`,
  );
  expect(looks.filter((look, index) => look === looks[index + 1])).toEqual([]);
});

test('any text is a seed, and none of it gets into the markup', () => {
  for (const seed of ['', '🦊', '"><script>alert(1)</script>', 'x'.repeat(200)]) {
    const drawing = renderCreature(seed, 'body');
    expect(drawing).not.toMatch(/script|NaN|undefined/);
    expect(drawing).toContain('<path');
  }
});

test('only the eyes change with the mood', () => {
  const moods = (['awake', 'asleep', 'waiting', 'unwell'] as const).map((mood) =>
    renderCreature('seed', 'body', mood),
  );
  expect(new Set(moods).size).toBe(4);
});

test('a rim for dark grounds lies below the drawing, and changes nothing else', () => {
  const [plain, rimmed] = [renderCreature('a', 'body'), renderCreature('a', 'body', 'awake', 1)];
  expect(plain).not.toContain('creature-rim');
  expect(rimmed.replace(/<g class="creature-rim".*?<\/g>/, '')).toBe(plain);
});
