import { expect, test } from 'vitest';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, say } from '../fake-model/script.ts';
import { BOOK_FLIGHT, TRIP } from '../publishing/book-flight.ts';
import { holdToast, openZoo } from './open-zoo.ts';

const tool = 'agent_zoo_create_brain_entry';
const ada = { id: 'ada', name: 'Ada', systemPrompt: 'You are Ada.', tools: [tool] };
const trips = {
  id: 'trips',
  name: 'Trips',
  mode: 'tools',
  systemPrompt: 'You book trips.',
  tools: ['sources'],
  publishedTools: [BOOK_FLIGHT],
};

test('a run that waits is seen at home, allowed on its page, and read step by step', async () => {
  const entry = { agentId: 'ada', type: 'note', content: 'Tea at four.' };
  const steps = [call(tool, entry), say('I will remember it.'), say('Booked.')];
  await using model = await startFakeModel(steps);
  const env = { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url };
  await using zoo = await openZoo({ env });
  const { page } = zoo;
  await zoo.call('POST', '/api/agents', ada);
  await page.goto(`${zoo.url}/home`);
  const waiting = page.getByRole('region', { name: 'Waits for you' });
  await waiting.getByText(/^Nothing needs you\./).waitFor();
  const running = page.getByRole('region', { name: 'Running now' });
  await running.getByText('Nothing is running.').waitFor();
  await running.getByRole('link', { name: 'Start a chat' }).click();
  await page.getByRole('button', { name: 'Start chat' }).waitFor();
  await page.goBack();

  await zoo.call('POST', '/api/runs', { agent: 'ada', prompt: 'Remember tea', interactive: true });
  await waiting.getByText('"content": "Tea at four."').waitFor();
  const rail = page.getByRole('navigation', { name: 'Pages' });
  await rail.getByRole('link', { name: 'Home 1 waiting for you' }).waitFor();
  await running.getByRole('link', { name: /Remember tea/ }).click();

  const timeline = page.getByRole('list', { name: 'Timeline' });
  const approval = timeline.getByRole('group', { name: `Approval of ${tool}` });
  await approval.getByRole('button', { name: 'Allow once' }).click();
  await timeline.getByText('Allowed once', { exact: true }).waitFor();
  await timeline.getByRole('heading', { name: /^Step 2/ }).waitFor();
  await timeline.getByText('I will remember it.', { exact: true }).waitFor();
  const second = timeline
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: /^Step 2/ }) });
  await second.getByText('Sent to the model').click();
  await expect
    .poll(() => second.getByRole('group', { name: 'Sent to the model', exact: true }).textContent())
    .toMatch(/You are Ada\.[\s\S]*Remember tea[\s\S]*Tea at four\./);
  await page.getByText('Done', { exact: true }).waitFor();
  await expect.poll(() => zoo.call('GET', '/api/agents/ada/brain')).toMatchObject({ total: 1 });

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as Markdown' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/\.md$/);

  await zoo.call('POST', '/api/agents', trips);
  await zoo.call('POST', '/tools/trips.book_flight', TRIP);
  await page.goto(`${zoo.url}/runs`);
  await page.getByRole('button', { name: 'Jobs', exact: true }).click();
  const jobs = page.getByRole('list', { name: 'Jobs' }).getByRole('link');
  await jobs.filter({ hasText: 'book_flight' }).filter({ hasText: 'Done' }).waitFor();
  expect(await jobs.count()).toBe(1);
  await jobs.click();
  await timeline.getByText('Booked.', { exact: true }).waitFor();
  await page.goto(`${zoo.url}/runs`);
  const rows = page.getByRole('list', { name: 'Runs' }).getByRole('link');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
  await page.getByText('No matching runs').waitFor();
  await page.goto(`${zoo.url}/home`);
  await page.getByRole('region', { name: 'Today' }).getByRole('link', { name: 'ada' }).waitFor();
  expect(model.problems).toEqual([]);
});

test('a run is cancelled on its page, and a denied call says why', async () => {
  const entry = { agentId: 'ada', type: 'note', content: 'Coffee.' };
  await using model = await startFakeModel([call(tool, entry), call(tool, entry)]);
  const env = { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url };
  await using zoo = await openZoo({ env });
  const { page } = zoo;
  await zoo.call('POST', '/api/agents', ada);
  await page.addInitScript(recordNotices);
  // Questions of the first answer are not announced.
  const listed = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/questions');
  await page.goto(`${zoo.url}/activity`);
  await listed;
  await page.getByText('No calls yet').waitFor();
  const { id } = Object(
    await zoo.call('POST', '/api/runs', { agent: 'ada', prompt: 'Remember coffee', interactive: true }),
  );
  const toast = await holdToast(page, 'Allow ada to call');
  await expect
    .poll(() => page.evaluate(() => Reflect.get(globalThis, 'notices')))
    .toEqual([expect.stringContaining('Allow ada to call')]);
  await toast.getByRole('button', { name: 'Look' }).click();
  const waiting = page.getByRole('region', { name: 'Waits for you' });
  await waiting.getByText('"content": "Coffee."').waitFor();
  await page.keyboard.press('d');
  const reason = waiting.getByRole('textbox', { name: 'Why not?' });
  await reason.fill('Tea only.');
  await page.keyboard.press('Enter');
  // Leaving earlier could cancel the request.
  await reason.waitFor({ state: 'detached' });
  await page.goto(`${zoo.url}/runs/${id}`);
  const timeline = page.getByRole('list', { name: 'Timeline' });
  const approval = timeline.getByRole('group', { name: `Approval of ${tool}` });
  await timeline.getByText('Denied: “Tea only.”', { exact: true }).waitFor();
  await approval.getByRole('button', { name: 'In this run' }).waitFor();
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No runs yet').waitFor();
});

/** A window that nobody sees, with notifications allowed and written down: headless browsers have none to look at. */
function recordNotices(): void {
  const notices: string[] = [];
  Reflect.set(globalThis, 'notices', notices);
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
  const Real = globalThis.Notification;
  class Recorded extends Real {
    static override readonly permission = 'granted';
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      notices.push(`${title}: ${options?.body ?? ''}`);
    }
  }
  globalThis.Notification = Recorded;
}
