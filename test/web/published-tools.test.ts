import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, say } from '../fake-model/script.ts';
import { BOOK_FLIGHT, FILLED, TRIP } from '../publishing/book-flight.ts';
import { callAsClient } from './call-as-client.ts';
import { turn } from './chat-stage.ts';
import { openZoo, type OpenZoo } from './open-zoo.ts';

const note = 'agent_zoo_create_brain_entry';
const trips = {
  id: 'trips',
  name: 'Trips',
  mode: 'tools',
  systemPrompt: 'You book trips.',
  tools: ['sources', note],
};

const template = (page: Page) => page.getByRole('textbox', { name: 'Prompt template' });
const filled = (page: Page) => page.getByTestId('filled-prompt');

async function openBuilder(agent: object, env?: Record<string, string>) {
  const zoo = await openZoo(env ? { env } : {});
  await zoo.call('POST', '/api/agents', agent);
  await zoo.page.goto(`${zoo.url}/agent/trips/published`);
  await zoo.page.getByLabel('Name of a new tool').waitFor();
  return zoo;
}

async function addParameter(page: Page, name: string, description: string): Promise<void> {
  await page.getByRole('button', { name: 'Add parameter' }).click();
  const field = page.getByLabel('Name of the parameter').last();
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type(name);
  await page.getByLabel(`Description of ${name}`).fill(description);
  await page.getByRole('checkbox', { name: 'Required' }).last().click();
}

/** What a real client gets from `tools/list` of the agent's own address. */
async function toolsOfClient(zoo: OpenZoo): Promise<object[]> {
  const token = (await zoo.home.zoo(['token'])).out.trim();
  const { tools } = await callAsClient('a-client', { url: `${zoo.url}/mcp/trips`, token }, (client) =>
    client.listTools(),
  );
  return tools
    .filter(({ name }) => !name.startsWith('zoo_job_'))
    .map(({ name, inputSchema }) => ({ name, inputSchema }));
}

test('book_flight is built without typing JSON, stored, previewed, tested in a chat and listed for clients', async () => {
  const entry = { agentId: 'trips', type: 'note', content: 'Paris.' };
  await using model = await startFakeModel([
    say('Booked as drafted.'),
    call(note, entry),
    say('Booked with a note.'),
    say('Booked: AF 1234.'),
  ]);
  const env = { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url };
  await using zoo = await openBuilder(trips, env);
  const { page } = zoo;
  await page.getByLabel('Name of a new tool').fill(BOOK_FLIGHT.name);
  await page.getByRole('button', { name: 'Add tool' }).click();
  await page.getByLabel('Description', { exact: true }).fill(BOOK_FLIGHT.description);
  for (const [name, { description }] of Object.entries(BOOK_FLIGHT.parameters.properties)) {
    await addParameter(page, name, description);
  }
  await template(page).click();
  await page.keyboard.insertText(BOOK_FLIGHT.prompt);
  await expect.poll(() => filled(page).textContent()).toBe(BOOK_FLIGHT.prompt);

  await page.getByRole('textbox', { name: 'destination', exact: true }).fill(TRIP.destination);
  await expect
    .poll(() => filled(page).textContent())
    .toBe(FILLED.replace(TRIP.departure_date, '{departure_date}'));
  const form = page.getByRole('region', { name: 'Test book_flight' });
  await form.getByRole('button', { name: 'Run in a chat' }).click();
  await form.getByText('Required.').waitFor();
  await page.getByRole('textbox', { name: 'departure_date', exact: true }).fill(TRIP.departure_date);
  await expect.poll(() => filled(page).textContent()).toBe(FILLED);
  await form.getByRole('button', { name: 'Run in a chat' }).click();
  await page.getByRole('heading', { name: /^test-book_flight-\d{8}-\d{6}$/ }).waitFor();
  await turn(page, 1).getByText(FILLED, { exact: true }).waitFor();
  await turn(page, 1).getByText('Booked as drafted.').waitFor();
  const header = page.getByRole('group', { name: 'About this chat' });
  await header.getByText('Headless: nobody is asked').waitFor();
  await header.getByText('Unsaved draft').waitFor();
  const offered = (number: number) => model.requests[number]?.tools.map(({ name }) => name).toSorted();
  expect(offered(0)).toEqual(['sources']);

  const openTest = async (): Promise<void> => {
    await page.goto(`${zoo.url}/agent/trips/published`);
    await page.getByRole('button', { name: 'Test book_flight', exact: true }).click();
  };
  await openTest();
  await form.getByRole('button', { name: 'With approvals', exact: true }).click();
  await form.getByText('Tools that need approval ask you in the chat.').waitFor();
  await form.getByRole('button', { name: 'Run in a chat' }).click();
  await header.getByText('With approvals', { exact: true }).waitFor();
  const approval = turn(page, 1).getByRole('group', { name: `Approval of ${note}` });
  await approval.getByRole('button', { name: 'Allow once' }).click();
  await turn(page, 1).getByText('Booked with a note.').waitFor();
  await turn(page, 1).getByText('Allowed once', { exact: true }).waitFor();
  expect(offered(1)).toEqual([note, 'sources']);

  await openTest();
  const destination = page.getByRole('textbox', { name: 'destination', exact: true });
  await expect.poll(() => destination.evaluate((input) => input === document.activeElement)).toBe(true);
  await expect.poll(() => filled(page).textContent()).toBe(FILLED);
  await form.getByRole('button', { name: 'Save as example' }).click();
  await page
    .getByRole('textbox', { name: 'Parameters as JSON Schema' })
    .getByText('"Paris, France"')
    .waitFor();

  await page.keyboard.press('Control+s');
  await page.getByText('Saved, revision 2').waitFor();
  const saved = await zoo.call('GET', '/api/agents/trips');
  const { destination: to, departure_date: on } = BOOK_FLIGHT.parameters.properties;
  const parameters = {
    ...BOOK_FLIGHT.parameters,
    properties: {
      destination: { ...to, examples: [TRIP.destination] },
      departure_date: { ...on, examples: [TRIP.departure_date] },
    },
  };
  expect(saved).toMatchObject({ publishedTools: [{ ...BOOK_FLIGHT, parameters, id: 'book_flight' }] });
  expect(await toolsOfClient(zoo)).toEqual([{ name: 'book_flight', inputSchema: parameters }]);
  expect(await zoo.call('POST', '/tools/trips.book_flight', TRIP)).toMatchObject({
    result: [{ type: 'text', text: 'Booked: AF 1234.' }],
  });
  expect(model.problems).toEqual([]);
});

test('a nested object, a list and a choice are built and seen as JSON Schema, and edited there', async () => {
  await using zoo = await openBuilder({
    ...trips,
    publishedTools: [
      {
        ...BOOK_FLIGHT,
        parameters: {
          type: 'object',
          properties: { cabin: { type: 'string' }, legs: { type: 'string' } },
        },
        prompt: '{cabin} {legs}',
      },
    ],
  });
  const { page } = zoo;
  const json = page.getByRole('textbox', { name: 'Parameters as JSON Schema' });
  await page.getByLabel('Type of cabin').selectOption('Choice');
  await page.getByText('cabin, enum: needs at least one value to choose from').waitFor();
  await page.getByLabel('Values of cabin').fill('economy');
  await page.keyboard.press('Enter');
  await json.getByText('"economy"').waitFor();
  await page.getByLabel('Type of legs').selectOption('List');
  await page.getByLabel('Type of items of legs').selectOption('Object');
  await page.getByRole('button', { name: 'Add property to items of legs' }).click();
  await page.getByLabel('Name of the parameter').last().fill('day');
  await page.getByLabel('Type of day').selectOption('Whole number');
  await page.getByRole('button', { name: 'Limits, default and examples of day' }).click();
  await page.getByLabel('Maximum', { exact: true }).fill('31');
  await json.getByText('"maximum": 31').waitFor();

  const form = page.getByRole('region', { name: 'Test book_flight' });
  await form.getByRole('button', { name: 'Add to legs' }).click();
  const day = form.getByRole('textbox', { name: 'day', exact: true });
  await day.fill('40');
  await form.getByText('At most 31.').waitFor();
  await day.fill('12');
  await expect.poll(() => filled(page).textContent()).toBe('{cabin} [{"day":12}]');
  await form.getByRole('combobox', { name: 'cabin' }).selectOption('economy');
  await expect.poll(() => filled(page).textContent()).toBe('economy [{"day":12}]');

  // Select everything: the text is replaced as a paste would.
  await json.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"type": "object", "properties": {"city": {"type": "strin"}}}');
  await page
    .getByText(/city\.type/)
    .first()
    .waitFor();
  await page.getByLabel('Type of cabin').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('{"type": "object", "properties": {"city": {"type": "string"}}}');
  await page.getByLabel('Type of city').waitFor();
  await page.getByText("{cabin}: 'cabin' is not a parameter.").waitFor();
  await expect.poll(() => page.getByLabel('Type of cabin').count()).toBe(0);
});

test('a renamed parameter is renamed in the prompt, and an unknown one is underlined', async () => {
  await using zoo = await openBuilder({ ...trips, publishedTools: [BOOK_FLIGHT] });
  const { page } = zoo;
  await template(page).getByText('{destination}').waitFor();
  await page.getByLabel('Name of the parameter').first().fill('city');
  await expect.poll(() => filled(page).textContent()).toContain('a flight to {city} on {departure_date}');
  await template(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' for {whom');
  await page.locator('.cm-lintRange-warning').waitFor();
  await page.getByText("{whom}: 'whom' is not a parameter.").waitFor();
  await page.getByText('1 problem').waitFor();
});
