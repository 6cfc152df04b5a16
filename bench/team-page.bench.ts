import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startZoo } from '../scripts/sample-zoo.js';
import { startBrowser } from '../scripts/start-browser.js';
import { report } from './measure.ts';
import { frames, openPage, readNumbers, scroll } from './page-frames.ts';

const program = fileURLToPath(new URL('../zoo.js', import.meta.url));
const agent = fileURLToPath(new URL('../../test/teams/fake-acp-agent.js', import.meta.url));
const MESSAGES = 5000;
const AT_ONCE = 20;

type Zoo = Awaited<ReturnType<typeof startZoo>>;

/** A team whose messages stay in its mailbox. */
async function fillTeam(zoo: Zoo): Promise<string> {
  const members = [{ name: 'root', harness: 'fake', task: 'Wait.' }];
  const made: unknown = await zoo.send('POST', '/api/teams', { name: 'Crew', members });
  const id = String(Reflect.get(Object(made), 'id'));
  await zoo.send('POST', `/api/teams/${id}/pause`);
  for (let sent = 0; sent < MESSAGES; sent += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, index) => sent + index);
    await Promise.all(
      numbers.map((number) =>
        zoo.send('POST', `/api/teams/${id}/messages`, {
          to: 'root',
          text: `Message ${number}: ${'x '.repeat(number % 90)}`,
        }),
      ),
    );
  }
  return id;
}

async function main(): Promise<void> {
  const command = JSON.stringify([process.execPath, agent]);
  const config = `[team]\nsandbox = "off"\n[harness.fake]\ncommand = ${command}\n`;
  // Beside the workspace, in the user's own config directory: nothing has to be approved.
  const zoo = await startZoo({ '../config/zoo.toml': config }, program);
  const server = await startBrowser();
  const browser = await chromium.connect(server.wsEndpoint());
  try {
    const id = await fillTeam(zoo);
    const page = await openPage(browser, zoo);
    await page.goto(`${zoo.url}/settings`);
    await page.getByRole('heading').first().waitFor();
    const plain = await readNumbers(page, frames('', 'frame < 400'));
    await page.goto(`${zoo.url}/teams/${id}`);
    const log = page.getByRole('log', { name: 'Messages' });
    await log
      .getByText(/^Message 49\d\d: /)
      .first()
      .waitFor();
    const team = await readNumbers(page, scroll('document.querySelector("[role=log]")'));
    report('a frame while scrolling', {
      'a page that stands still': plain,
      [`a team of ${MESSAGES} messages`]: team,
    });
  } finally {
    await browser.close();
    await server.close();
    await zoo.close();
  }
}

await main();
