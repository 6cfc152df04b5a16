import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { holdToast, openZoo } from './open-zoo.ts';

const wizard = {
  id: 'wizard',
  name: 'Code Wizard',
  systemPrompt: 'You code.',
  skillCategories: [
    { id: 'coding', name: 'Coding' },
    { id: 'manners', name: 'Manners' },
  ],
  skills: [
    { id: 'types', name: 'Strict types', description: 'No any.', categoryId: 'coding' },
    { id: 'tests', name: 'Test first', description: 'Tests first.', categoryId: 'coding' },
    { id: 'brief', name: 'Be brief', description: 'Few words.', categoryId: 'manners' },
  ],
};

async function openSkills(agent: object = wizard) {
  const zoo = await openZoo();
  await zoo.call('POST', '/api/agents', agent);
  await zoo.page.goto(`${zoo.url}/agent/wizard/skills`);
  await zoo.page.getByRole('button', { name: 'Drag Test first' }).waitFor();
  await zoo.page.getByTestId('compiled-prompt').first().getByText('No any.').waitFor();
  return zoo;
}

/** Where an element is once it no longer moves: fonts arrive late, and what was dragged glides into its place. */
async function boxOf(element: Locator) {
  let box = await element.boundingBox();
  await expect
    .poll(async () => {
      const before = box;
      await element.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
      box = await element.boundingBox();
      return box !== null && isDeepStrictEqual(before, box);
    })
    .toBe(true);
  if (!box) throw new Error('the element is not on screen');
  return box;
}

async function middleOf(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await boxOf(page.getByRole('button', { name: `Drag ${name}` }));
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** As a hand does it: press, move in steps, let go. */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let step = 1; step <= 12; step += 1) {
    const share = step / 12;
    await page.mouse.move(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
    // Collisions are looked for once in a frame.
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await page.mouse.up();
  const moving = page.locator('[data-dnd-dragging], [data-dnd-dropping]');
  await expect.poll(() => moving.count()).toBe(0);
}

test('a skill is dragged above another one and into another category', async () => {
  await using zoo = await openSkills();
  const { page } = zoo;
  const order = async (): Promise<string[]> => {
    const { skills } = await skillsOf(zoo);
    return skills.map(({ id, categoryId }) => `${categoryId}/${id}`);
  };
  const target = await middleOf(page, 'Strict types');
  await drag(page, await middleOf(page, 'Test first'), { x: target.x, y: target.y - 12 });
  await expect.poll(order).toEqual(['coding/tests', 'coding/types', 'manners/brief']);
  await expect
    .poll(async () => (await middleOf(page, 'Test first')).y < (await middleOf(page, 'Strict types')).y)
    .toBe(true);
  const other = await middleOf(page, 'Be brief');
  await drag(page, await middleOf(page, 'Strict types'), { x: other.x, y: other.y - 12 });
  await expect.poll(async () => (await order()).toSorted()).toContain('manners/types');
});

test('a skill is dragged into a category that is empty', async () => {
  await using zoo = await openSkills({ ...wizard, skills: wizard.skills.slice(0, 2) });
  const { page } = zoo;
  const box = await boxOf(page.getByRole('region', { name: 'Manners' }));
  await drag(page, await middleOf(page, 'Test first'), { x: box.x + box.width / 2, y: box.y + 60 });
  await expect
    .poll(async () => (await skillsOf(zoo)).skills.find(({ id }) => id === 'tests')?.categoryId)
    .toBe('manners');
});

test('a skill switches on what it requires, and asks before others lose it', async () => {
  const skills = [
    { ...wizard.skills[0] },
    { id: 'tests', name: 'Test first', description: 'Tests first.', enabled: false },
    { id: 'tdd', name: 'Red, green', description: 'In small steps.', enabled: false },
  ];
  await using zoo = await openSkills({ ...wizard, skills });
  const { page } = zoo;
  const isOn = async (name: string) =>
    (await page.getByRole('switch', { name }).getAttribute('aria-checked')) === 'true';
  await page.getByRole('button', { name: 'Red, green', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Test first' }).click();
  await page.getByRole('button', { name: 'Save skill' }).click();
  await page.getByText('Requires Test first').waitFor();
  await page.getByRole('switch', { name: 'Red, green' }).click();
  await holdToast(page, 'Red, green is on, with Test first.');
  await expect.poll(() => isOn('Test first')).toBe(true);

  await page.getByRole('switch', { name: 'Test first' }).click();
  await page.getByRole('dialog').getByText('Red, green requires it.').waitFor();
  await page.getByRole('button', { name: 'Only Test first' }).click();
  await expect.poll(() => isOn('Test first')).toBe(false);
  expect(await isOn('Red, green')).toBe(true);
  await page.getByText('Requires Test first, which is off').waitFor();
  await page.getByText("Skill 'Red, green' requires 'Test first', which is disabled.").first().waitFor();
});

interface Skills {
  skills: { id: string; categoryId: string }[];
}

async function skillsOf(zoo: { call(method: string, path: string): Promise<unknown> }): Promise<Skills> {
  const answer = await zoo.call('GET', '/api/agents/wizard/skills');
  if (!isSkills(answer)) throw new Error('not a list of skills');
  return answer;
}

const isSkills = (answer: unknown): answer is Skills =>
  typeof answer === 'object' && answer !== null && 'skills' in answer && Array.isArray(answer.skills);
